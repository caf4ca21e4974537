import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { admin, ownerOf, type Caller } from '../../caller.ts';
import type { JsonObject } from '../../json.ts';
import type { KeyValueStore, StoreOperation } from '../../store/key-value-store.ts';
import type { StorageAccessPolicy, StorageAccessRequest } from '../access-policy.ts';
import type { FileStore } from '../file-store.ts';
import { createSerialQueue } from '../../store/serial-queue.ts';
import type { ListQuery } from './object-list.ts';
import { mergeSettings, type ObjectSettings } from './object-settings.ts';
import type { ObjectTable } from './object-table.ts';
import { StorageError, invalid, notFound } from '../storage-error.ts';
import { changeObject, type DraftObject, type StoredObject } from './stored-object.ts';

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
  readonly table: ObjectTable;
}

type Question = Pick<StorageAccessRequest, 'method' | 'path' | 'resource' | 'newResource'>;

interface AccessedObject {
  readonly name: string;
  readonly before: DraftObject | null;
  readonly after?: DraftObject | null;
}

export type Bucket = ReturnType<typeof createBucket>;

/**
 * - The policy is checked first for every operation of a client, so a caller without the right to read does not learn
 *   whether an object exists.
 * - An upload is acknowledged once its file is durable under its own name and its record is durable. Writing the record
 *   switches the contents atomically, and a crash in between leaves only a file to sweep.
 * - Changes run one after the other, each checked against the state at that moment.
 */
export function createBucket(deps: BucketDeps) {
  const { bucket, policy, table, files, store, nowMs } = deps;
  const queue = createSerialQueue();

  /** @throws {StorageError} when the policy denies the operation. */
  const ask = (caller: Caller, question: Question) => {
    if (caller === admin) return;
    const isAllowed = policy({ ...question, bucket, auth: caller, timeMs: nowMs() });
    if (!isAllowed) throw denied(question.method);
  };
  const authorize = (
    caller: Caller,
    method: Question['method'],
    { name, before, after = null }: AccessedObject,
  ) => ask(caller, { method, path: name, resource: before, newResource: after });

  const get = (caller: Caller, name: string): StoredObject => {
    const object = table.get(name);
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

  const save = async (
    before: StoredObject | null,
    after: StoredObject,
    alongside: readonly StoreOperation[] = [],
  ) => {
    await store.write([...changeObject(before, after), ...alongside]);
    return after;
  };

  const changeSettings = (before: StoredObject, json: JsonObject): StoredObject => ({
    ...before,
    settings: mergeSettings(before.settings, json),
    metageneration: before.metageneration + 1,
    updatedMs: nowMs(),
  });

  const erase = async (object: StoredObject) => {
    await store.write(changeObject(object, null));
    await removeQuietly(object.fileId);
  };

  /** Returns the stored object if it is the version that was seen, and null otherwise. */
  const unchanged = ({ name, generation, metageneration }: ObjectVersion): StoredObject | null => {
    const object = table.get(name);
    const isSame = object?.generation === generation && object.metageneration === metageneration;
    return isSame ? object : null;
  };

  const publish = async (caller: Caller, upload: FinishedUpload, object: StoredObject) => {
    const { fileId, alongside } = upload;
    const before = table.get(object.name);
    authorize(caller, 'create', { name: object.name, before, after: object });
    await files.publish(fileId);
    try {
      await save(before, object, alongside);
    } catch (error) {
      await files.withdraw(fileId);
      throw error;
    }
    if (before !== null) await removeQuietly(before.fileId);
    return object;
  };

  /** Removes a file whose record is gone already; a file that cannot be removed is swept later. */
  const removeQuietly = (fileId: string) => files.remove(fileId).catch(() => undefined);

  const isShared = (name: string, token: string) =>
    table.get(name)?.downloadTokens.some((each) => isSameText(each, token)) === true;

  return {
    name: bucket,
    get,
    /** Returns the stored object without checking the policy. */
    peek: (name: string) => table.get(name),
    isShared,
    /** Opens the contents of one generation, which stay readable while the object is overwritten. */
    async open(caller: Caller, name: string, token: string | null = null): Promise<OpenObject> {
      for (;;) {
        const object =
          token !== null && isShared(name, token) ? table.get(name) : get(caller, name);
        if (object === null) throw notFound();
        const file = await files.open(object.fileId);
        if (file !== null) return { object, file };
        // The object was overwritten between the two reads, so try again; a record without its file is a defect.
        if (table.get(name)?.fileId === object.fileId)
          throw new Error('The file of an object is lost.');
      }
    },
    list(caller: Caller, query: ListQuery) {
      const path = query.prefix.replace(/\/$/, '');
      ask(caller, { method: 'list', path, resource: null, newResource: null });
      return table.list(query);
    },
    update: (caller: Caller, name: string, json: JsonObject) =>
      queue.run(async () => {
        const before = table.get(name);
        const after = before && changeSettings(before, json);
        authorize(caller, 'update', { name, before, after });
        if (after === null) throw notFound();
        return save(before, after);
      }),
    /** Updates without checking the policy. Resolves to null when the object is not the version that was seen. */
    updateUnchanged: (seen: ObjectVersion, json: JsonObject) =>
      queue.run(async () => {
        const before = unchanged(seen);
        return before && save(before, changeSettings(before, json));
      }),
    remove: (caller: Caller, name: string) =>
      queue.run(async () => {
        const before = table.get(name);
        authorize(caller, 'delete', { name, before });
        if (before === null) throw notFound();
        await erase(before);
      }),
    /** Removes without checking the policy. Resolves to false when the object is not the version that was seen. */
    removeUnchanged: (seen: ObjectVersion) =>
      queue.run(async () => {
        const before = unchanged(seen);
        if (before !== null) await erase(before);
        return before !== null;
      }),
    /** Checks the policy with the announced size and checksums. @throws {StorageError} when it denies the upload. */
    checkUpload(caller: Caller, upload: UploadTarget & { readonly size: number }) {
      const before = table.get(upload.name);
      const { size, md5Hash } = upload;
      const after = { ...draft(upload, before), size, md5Hash, crc32c: null };
      authorize(caller, 'create', { name: upload.name, before, after });
    },
    /** Makes the part `fileId` the contents of an object. */
    async commit(caller: Caller, upload: FinishedUpload) {
      const facts = await files.inspectPart(upload.fileId);
      if (upload.md5Hash !== null && upload.md5Hash !== facts.md5Hash) {
        throw invalid('The contents do not have the announced MD5 hash.');
      }
      const { fileId } = upload;
      return queue.run(() => {
        const made = draft(upload, table.get(upload.name));
        const downloadTokens = [randomUUID()];
        const owner = ownerOf(caller);
        return publish(caller, upload, { ...made, ...facts, fileId, owner, downloadTokens });
      });
    },
    /** Resolves when no change is in progress. */
    idle: () => queue.idle(),
  };
}

function denied(method: Question['method']): StorageError {
  const kind = { get: 'READ', list: 'LIST', create: 'WRITE', update: 'WRITE', delete: 'WRITE' };
  return new StorageError('denied', `Permission denied. No ${kind[method]} permission.`);
}

const isSameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
