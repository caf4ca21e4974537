import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { admin, ownerOf, uidOf, type Caller } from '../../caller.ts';
import type { JsonObject } from '../../json.ts';
import {
  afterPrefix,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';
import { createFairQueue } from '../../limits/fair-queue.ts';
import type { StorageAccessPolicy, StorageAccessRequest } from '../access-policy.ts';
import type { FileStore } from '../file-store.ts';
import { StorageError, invalid, notFound } from '../storage-error.ts';
import { listPage, type ListQuery } from './object-list.ts';
import { mergeSettings, type ObjectSettings } from './object-settings.ts';
import {
  changeObject,
  decodeObject,
  filePrefix,
  objectPrefix,
  type DraftObject,
  type StoredObject,
} from './stored-object.ts';

/** The version of an object that a caller has seen. */
export type ObjectVersion = Pick<StoredObject, 'name' | 'generation' | 'metageneration'>;

export interface OpenObject {
  readonly object: StoredObject;
  readonly file: FileHandle;
}

export interface UploadTarget {
  readonly name: string;
  readonly settings: ObjectSettings;
  /** The MD5 hash that the contents must have, in Base64; null when the client announced none. */
  readonly md5Hash: string | null;
}

export interface FinishedUpload extends UploadTarget {
  readonly fileId: string;
  /** Operations that are stored in the same write as the object. */
  readonly alongside?: readonly StoreOperation[];
}

export interface BucketDeps {
  readonly bucket: string;
  readonly policy: StorageAccessPolicy;
  readonly nowMs: () => number;
  readonly store: KeyValueStore;
  readonly files: FileStore;
}

interface Accessed {
  /** The name of the object, or the path of the listed folder. */
  readonly name: string;
  readonly before?: DraftObject | null;
  readonly after?: DraftObject | null;
}

const keyOf = (caller: Caller): string => uidOf(caller) ?? '';

export type Bucket = ReturnType<typeof createBucket>;

/**
 * - The policy is checked first for every operation of a client, so a caller without the right to read does not learn
 *   whether an object exists.
 * - An upload is acknowledged once its file is durable under its own name and its record is durable. Writing the record
 *   switches the contents atomically, and a crash in between leaves only a file to sweep.
 * - Changes run one after the other, each checked against the state at that moment. Callers take turns, since each change
 *   waits for the disk: one with many changes delays no other.
 */
export function createBucket(deps: BucketDeps) {
  const { bucket, policy, files, store, nowMs } = deps;
  const queue = createFairQueue(1);

  const peek = (name: string): StoredObject | null => {
    const text = store.get(objectPrefix + name);
    return text === undefined ? null : decodeObject(name, text);
  };
  const end = afterPrefix(objectPrefix);
  const firstFrom = (from: Buffer): string | undefined => {
    const start = Buffer.concat([Buffer.from(objectPrefix), from]);
    const [entry] = store.range({ start, end, limit: 1 });
    return entry?.[0].toString('utf8', objectPrefix.length);
  };

  /** @throws {StorageError} when the policy denies the operation. */
  const authorize = (
    caller: Caller,
    method: StorageAccessRequest['method'],
    { name: path, before: resource = null, after: newResource = null }: Accessed,
  ) => {
    if (caller === admin) return;
    const asked = { method, bucket, path, auth: caller, resource, newResource, timeMs: nowMs() };
    if (!policy(asked)) throw denied(method);
  };

  const get = (caller: Caller, name: string): StoredObject => {
    const object = peek(name);
    authorize(caller, 'get', { name, before: object });
    if (object === null) throw notFound();
    return object;
  };

  const draft = ({ name, settings }: UploadTarget, previous: StoredObject | null) => ({
    name,
    settings,
    generation: Math.max(nowMs() * 1000, (previous?.generation ?? 0) + 1),
    metageneration: 1,
    createdMs: nowMs(),
    updatedMs: nowMs(),
  });

  const changeSettings = (before: StoredObject, json: JsonObject): StoredObject => ({
    ...before,
    settings: mergeSettings(before.settings, json),
    metageneration: before.metageneration + 1,
    updatedMs: nowMs(),
  });

  /** Returns the stored object; null if there is none, or not the version that was seen. */
  const find = (wanted: string | ObjectVersion): StoredObject | null => {
    const object = peek(nameOf(wanted));
    if (object === null || typeof wanted === 'string') return object;
    const { generation, metageneration } = wanted;
    const isSame = object.generation === generation && object.metageneration === metageneration;
    return isSame ? object : null;
  };

  /** Removes a file whose record is gone already; a file that cannot be removed is swept later. */
  const removeQuietly = (fileId: string) => files.remove(fileId).catch(() => undefined);

  const isShared = (name: string, token: string) =>
    peek(name)?.downloadTokens.some((each) => isSameText(each, token)) === true;

  return {
    name: bucket,
    get,
    /** Returns the stored object without checking the policy. */
    peek,
    /** Returns the object whose contents are the file, without checking the policy. */
    ofFile(fileId: string) {
      const name = store.get(filePrefix + fileId);
      return name === undefined ? null : peek(name);
    },
    isShared,
    /** Opens the contents of one generation, which stay readable while the object is overwritten. */
    async open(caller: Caller, name: string, token: string | null = null): Promise<OpenObject> {
      for (;;) {
        const object = token !== null && isShared(name, token) ? peek(name) : get(caller, name);
        if (object === null) throw notFound();
        const file = await files.open(object.fileId);
        if (file !== null) return { object, file };
        // The object was overwritten between the two reads, so try again; a record without its file is a defect.
        if (peek(name)?.fileId === object.fileId) throw new Error('The file of an object is lost.');
      }
    },
    list(caller: Caller, query: ListQuery) {
      authorize(caller, 'list', { name: query.prefix.replace(/\/$/, '') });
      return listPage(firstFrom, query);
    },
    /** @throws {StorageError} `not-found` also when the object is not the version that was seen. */
    update: (caller: Caller, wanted: string | ObjectVersion, json: JsonObject) =>
      queue.run(keyOf(caller), async () => {
        const before = find(wanted);
        const after = before && changeSettings(before, json);
        authorize(caller, 'update', { name: nameOf(wanted), before, after });
        if (after === null) throw notFound();
        await store.write(changeObject(before, after));
        return after;
      }),
    /** @throws {StorageError} as `update`. */
    remove: (caller: Caller, wanted: string | ObjectVersion) =>
      queue.run(keyOf(caller), async () => {
        const before = find(wanted);
        authorize(caller, 'delete', { name: nameOf(wanted), before });
        if (before === null) throw notFound();
        await store.write(changeObject(before, null));
        await removeQuietly(before.fileId);
      }),
    /** Checks the policy with the announced size and hash. @throws {StorageError} when it denies the upload. */
    checkUpload(caller: Caller, upload: UploadTarget, size: number) {
      const { name, md5Hash } = upload;
      const before = peek(name);
      const after = { ...draft(upload, before), size, md5Hash };
      authorize(caller, 'create', { name, before, after });
    },
    /** Makes the part `fileId` the contents of an object. */
    async commit(caller: Caller, upload: FinishedUpload) {
      const facts = await files.inspectPart(upload.fileId);
      if (upload.md5Hash !== null && upload.md5Hash !== facts.md5Hash) {
        throw invalid('The contents do not have the announced MD5 hash.');
      }
      const { name, fileId, alongside = [] } = upload;
      return queue.run(keyOf(caller), async () => {
        const before = peek(name);
        const contents = {
          ...facts,
          fileId,
          owner: ownerOf(caller),
          downloadTokens: [randomUUID()],
        };
        const after = { ...draft(upload, before), ...contents };
        authorize(caller, 'create', { name, before, after });
        await files.publish(fileId);
        try {
          await store.write([...changeObject(before, after), ...alongside]);
        } catch (error) {
          await files.withdraw(fileId);
          throw error;
        }
        if (before !== null) await removeQuietly(before.fileId);
        return after;
      });
    },
    /** Resolves when no change is in progress. */
    idle: () => queue.idle(),
  };
}

const nameOf = (wanted: string | ObjectVersion): string =>
  typeof wanted === 'string' ? wanted : wanted.name;

function denied(method: StorageAccessRequest['method']): StorageError {
  const kind = { get: 'READ', list: 'LIST', create: 'WRITE', update: 'WRITE', delete: 'WRITE' };
  return new StorageError('denied', `Permission denied. No ${kind[method]} permission.`);
}

const isSameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
