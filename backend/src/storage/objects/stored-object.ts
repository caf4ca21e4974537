import * as v from 'valibot';
import type { StoreOperation } from '../../store/key-value-store.ts';
import type { StorageResource } from '../access-policy.ts';
import { chargeOperations } from '../usage.ts';
import type { FileFacts } from '../file-store.ts';
import { SettingsRecord, settingsToRecord, type ObjectSettings } from './object-settings.ts';

/**
 * - `storage/object/<name>` holds the record of an object; the file it names is complete and never changes.
 * - `storage/file/<id>` holds the name of the object whose contents a file is.
 * - Every upload makes a new generation with a file and a download token of its own, so the URLs of what was
 *   overwritten stop working.
 */
export interface StoredObject extends FileFacts {
  readonly name: string;
  readonly fileId: string;
  /** The uid of the user who uploaded it, who is charged for it; empty for nobody, null for the process itself. */
  readonly owner: string | null;
  /** Microseconds since the epoch; rises with every upload of the name. */
  readonly generation: number;
  /** Rises with every change of the metadata. */
  readonly metageneration: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly downloadTokens: readonly string[];
  readonly settings: ObjectSettings;
}

export const OBJECT_PREFIX = 'storage/object/';
export const FILE_PREFIX = 'storage/file/';

const ObjectRecord = v.object({
  fileId: v.string(),
  owner: v.nullable(v.string()),
  generation: v.number(),
  metageneration: v.number(),
  size: v.number(),
  md5Hash: v.string(),
  crc32c: v.string(),
  createdMs: v.number(),
  updatedMs: v.number(),
  downloadTokens: v.array(v.string()),
  settings: SettingsRecord,
});

export const decodeObject = (name: string, text: string): StoredObject => ({
  name,
  ...v.parse(ObjectRecord, JSON.parse(text)),
});

/** Replaces `before` by `after`; null is no object. */
export function changeObject(
  before: StoredObject | null,
  after: StoredObject | null,
): readonly StoreOperation[] {
  return [
    ...(before === null ? [] : removeOperations(before)),
    ...(after === null ? [] : putOperations(after)),
  ];
}

const removeOperations = ({
  name,
  fileId,
  owner,
  size,
}: StoredObject): readonly StoreOperation[] => [
  { type: 'del', key: OBJECT_PREFIX + name },
  { type: 'del', key: FILE_PREFIX + fileId },
  ...chargeOperations(owner, { files: -1, bytes: -size }),
];

function putOperations({ name, settings, ...rest }: StoredObject): readonly StoreOperation[] {
  const value = JSON.stringify({ ...rest, settings: settingsToRecord(settings) });
  return [
    { type: 'put', key: OBJECT_PREFIX + name, value },
    { type: 'put', key: FILE_PREFIX + rest.fileId, value: name },
    ...chargeOperations(rest.owner, { files: 1, bytes: rest.size }),
  ];
}

/** Changes with the contents and with the metadata, as what a download answers does. */
export const etagOf = (object: Pick<StoredObject, 'generation' | 'metageneration'>): string =>
  Buffer.from(`${object.generation}/${object.metageneration}`).toString('base64url');

/** An object before its contents are there: the checksums are as announced. */
export type DraftObject = Omit<
  StoredObject,
  'fileId' | 'owner' | 'md5Hash' | 'crc32c' | 'downloadTokens'
> & {
  readonly md5Hash: string | null;
  readonly crc32c: string | null;
};

export function toResource(object: DraftObject, bucket: string): StorageResource {
  const { custom, ...headers } = object.settings;
  return {
    ...headers,
    name: object.name,
    bucket,
    generation: object.generation,
    metageneration: object.metageneration,
    size: object.size,
    timeCreatedMs: object.createdMs,
    updatedMs: object.updatedMs,
    md5Hash: object.md5Hash,
    crc32c: object.crc32c,
    etag: etagOf(object),
    metadata: custom,
  };
}

/** The answer clients get; numbers are strings, as in all of Google's JSON. */
export function toJson(object: StoredObject, bucket: string) {
  const { custom, contentLanguage, cacheControl, ...headers } = object.settings;
  return {
    name: object.name,
    bucket,
    generation: String(object.generation),
    metageneration: String(object.metageneration),
    ...headers,
    ...(contentLanguage === null ? {} : { contentLanguage }),
    ...(cacheControl === null ? {} : { cacheControl }),
    timeCreated: new Date(object.createdMs).toISOString(),
    updated: new Date(object.updatedMs).toISOString(),
    storageClass: 'STANDARD',
    size: String(object.size),
    md5Hash: object.md5Hash,
    crc32c: object.crc32c,
    etag: etagOf(object),
    downloadTokens: object.downloadTokens.join(','),
    ...(custom.size === 0 ? {} : { metadata: Object.fromEntries(custom) }),
  };
}
