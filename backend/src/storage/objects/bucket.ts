import { createHash, timingSafeEqual } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { JsonObject } from '../../json.ts';
import type { KeyValueStore, StoreOperation } from '../../store/key-value-store.ts';
import {
  STORAGE_ADMIN,
  ownerOf,
  type StorageAccessPolicy,
  type StorageAccessRequest,
  type StorageCaller,
} from '../access-policy.ts';
import type { FileStore } from '../file-store.ts';
import { createTurns } from '../../store/turns.ts';
import type { ListPage, ListQuery } from './object-list.ts';
import { mergeSettings, type ObjectSettings } from './object-settings.ts';
import type { ObjectTable } from './object-table.ts';
import { StorageError, invalid, notFound } from '../storage-error.ts';
import { changeObject, toResource, type DraftObject, type StoredObject } from './stored-object.ts';

/**
 * - Every operation of a client passes the policy here, before anything is told: who may not read does not learn
 *   whether an object exists.
 * - An upload is acknowledged when its file is on the disk under its own name and its record is durable. The record is
 *   the switch: readers see the old contents or the new, whole, and a crash in between leaves only a file to sweep.
 * - Changes are made one after the other, each judged on what is stored at that moment.
 */
export interface Bucket {
  readonly name: string;
  get(caller: StorageCaller, name: string): StoredObject;
  /** What is stored, without asking the policy. */
  peek(name: string): StoredObject | null;
  isShared(name: string, token: string): boolean;
  /** Everything whose name starts with the prefix, without asking the policy. */
  under(prefix: string): readonly StoredObject[];
  /** The contents of one generation, which stay readable though it be overwritten meanwhile. */
  open(caller: StorageCaller, name: string, token?: string | null): Promise<OpenObject>;
  list(caller: StorageCaller, query: ListQuery): ListPage;
  update(caller: StorageCaller, name: string, json: JsonObject): Promise<StoredObject>;
  /** Without asking the policy. Null when the object is not the version that was seen. */
  updateUnchanged(seen: ObjectVersion, json: JsonObject): Promise<StoredObject | null>;
  remove(caller: StorageCaller, name: string): Promise<void>;
  /** Without asking the policy. False when the object is not the version that was seen. */
  removeUnchanged(seen: ObjectVersion): Promise<boolean>;
  /** Removes all of them in one write; resolves to their number. */
  removeUnder(prefix: string): Promise<number>;
  changeTokens(
    name: string,
    change: (tokens: readonly string[]) => string[],
  ): Promise<StoredObject>;
  /** Whether an upload may start, judged on what is announced about it. */
  checkUpload(caller: StorageCaller, upload: AnnouncedUpload): void;
  /** Takes the part `fileId` as the contents of an object. */
  commit(caller: StorageCaller, upload: FinishedUpload): Promise<StoredObject>;
  /** Waits for changes that are being made. */
  idle(): Promise<void>;
}

/** An object as it was when somebody looked at it. */
export type ObjectVersion = Pick<StoredObject, 'name' | 'generation' | 'metageneration'>;

export interface OpenObject {
  readonly object: StoredObject;
  readonly file: FileHandle;
}

export interface UploadTarget {
  readonly name: string;
  readonly settings: ObjectSettings;
  /** Base64, when the client announced it: what arrives must have it. */
  readonly md5Hash: string | null;
}

export interface AnnouncedUpload extends UploadTarget {
  readonly size: number;
}

export interface FinishedUpload extends UploadTarget {
  readonly fileId: string;
  /** Stored in the same write as the object. */
  readonly alongside?: (object: StoredObject) => readonly StoreOperation[];
}

export interface BucketDeps {
  /** Its name. */
  readonly bucket: string;
  readonly policy: StorageAccessPolicy;
  readonly nowMs: () => number;
  readonly store: KeyValueStore;
  readonly files: FileStore;
  readonly table: ObjectTable;
  readonly newToken: () => string;
}

type Question = Pick<StorageAccessRequest, 'method' | 'path' | 'resource' | 'newResource'>;

interface Judged {
  readonly name: string;
  readonly before: DraftObject | null;
  readonly after?: DraftObject | null;
}

export function createBucket(deps: BucketDeps): Bucket {
  const { bucket, policy, table, files, store, nowMs } = deps;
  const turns = createTurns();

  /** Puts the question to the policy. */
  const ask = (caller: StorageCaller, question: Question) => {
    if (caller === STORAGE_ADMIN) return;
    const isAllowed = policy({ ...question, bucket, auth: caller, timeMs: nowMs() });
    if (!isAllowed) throw denied(question.method);
  };
  const resourceOf = (object: DraftObject | null) =>
    object === null ? null : toResource(object, bucket);
  const judge = (
    caller: StorageCaller,
    method: Question['method'],
    { name, before, after = null }: Judged,
  ) =>
    ask(caller, {
      method,
      path: name,
      resource: resourceOf(before),
      newResource: resourceOf(after),
    });

  const get = (caller: StorageCaller, name: string): StoredObject => {
    const object = table.get(name);
    judge(caller, 'get', { name, before: object });
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

  const change = (
    name: string,
    make: (before: StoredObject | null) => StoredObject,
  ): Promise<StoredObject> =>
    turns.run(async () => {
      const before = table.get(name);
      return save(before, make(before));
    });

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

  /** The object as it is, if it is the version that was seen. */
  const unchanged = ({ name, generation, metageneration }: ObjectVersion): StoredObject | null => {
    const object = table.get(name);
    const isSame = object?.generation === generation && object.metageneration === metageneration;
    return isSame ? object : null;
  };

  const publish = async (caller: StorageCaller, upload: FinishedUpload, object: StoredObject) => {
    const { fileId, alongside } = upload;
    const before = table.get(object.name);
    judge(caller, 'create', { name: object.name, before, after: object });
    await files.publish(fileId);
    try {
      await save(before, object, alongside?.(object));
    } catch (error) {
      await files.withdraw(fileId);
      throw error;
    }
    if (before !== null) await removeQuietly(before.fileId);
    return object;
  };

  /** The record is gone already; a file that stays is swept later. */
  const removeQuietly = (fileId: string) => files.remove(fileId).catch(() => undefined);

  const isShared = (name: string, token: string) =>
    table.get(name)?.downloadTokens.some((each) => isSameText(each, token)) === true;

  return {
    name: bucket,
    get,
    peek: (name) => table.get(name),
    isShared,
    under: (prefix) => table.under(prefix),
    async open(caller, name, token = null) {
      for (;;) {
        const object =
          token !== null && isShared(name, token) ? table.get(name) : get(caller, name);
        if (object === null) throw notFound();
        const file = await files.open(object.fileId);
        if (file !== null) return { object, file };
        // Overwritten between the two looks; a record whose file is lost is a defect.
        if (table.get(name)?.fileId === object.fileId)
          throw new Error('The file of an object is lost.');
      }
    },
    list(caller, query) {
      const path = query.prefix.replace(/\/$/, '');
      ask(caller, { method: 'list', path, resource: null, newResource: null });
      return table.list(query);
    },
    update: (caller, name, json) =>
      change(name, (before) => {
        const after = before && changeSettings(before, json);
        judge(caller, 'update', { name, before, after });
        if (after === null) throw notFound();
        return after;
      }),
    updateUnchanged: (seen, json) =>
      turns.run(async () => {
        const before = unchanged(seen);
        return before && save(before, changeSettings(before, json));
      }),
    remove: (caller, name) =>
      turns.run(async () => {
        const before = table.get(name);
        judge(caller, 'delete', { name, before });
        if (before === null) throw notFound();
        await erase(before);
      }),
    removeUnchanged: (seen) =>
      turns.run(async () => {
        const before = unchanged(seen);
        if (before !== null) await erase(before);
        return before !== null;
      }),
    removeUnder: (prefix) =>
      turns.run(async () => {
        const objects = table.under(prefix);
        if (objects.length === 0) return 0;
        await store.write(objects.flatMap((each) => changeObject(each, null)));
        for (const { fileId } of objects) await removeQuietly(fileId);
        return objects.length;
      }),
    changeTokens: (name, changeList) =>
      change(name, (before) => {
        if (before === null) throw notFound();
        const tokens = changeList(before.downloadTokens);
        // As hosted: an object never is without one.
        const downloadTokens = tokens.length === 0 ? [deps.newToken()] : tokens;
        return { ...before, downloadTokens, metageneration: before.metageneration + 1 };
      }),
    checkUpload(caller, upload) {
      const before = table.get(upload.name);
      const { size, md5Hash } = upload;
      const after = { ...draft(upload, before), size, md5Hash, crc32c: null };
      judge(caller, 'create', { name: upload.name, before, after });
    },
    async commit(caller, upload) {
      const facts = await files.inspectPart(upload.fileId);
      if (upload.md5Hash !== null && upload.md5Hash !== facts.md5Hash) {
        throw invalid('The contents do not have the announced MD5 hash.');
      }
      const { fileId } = upload;
      return turns.run(() => {
        const made = draft(upload, table.get(upload.name));
        const downloadTokens = [deps.newToken()];
        const owner = ownerOf(caller);
        return publish(caller, upload, { ...made, ...facts, fileId, owner, downloadTokens });
      });
    },
    idle: () => turns.idle(),
  };
}

function denied(method: Question['method']): StorageError {
  const kind = { get: 'READ', list: 'LIST', create: 'WRITE', update: 'WRITE', delete: 'WRITE' };
  return new StorageError('denied', `Permission denied. No ${kind[method]} permission.`);
}

const isSameText = (a: string, b: string): boolean => timingSafeEqual(digest(a), digest(b));

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
