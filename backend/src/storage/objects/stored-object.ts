import * as v from 'valibot';
import type { StoreOperation } from '../../store/key-value-store.ts';
import { chargeOperations } from '../usage.ts';
import type { FileFacts } from '../file-store.ts';
import { SettingsRecord, settingsToRecord, type ObjectSettings } from './object-settings.ts';

/**
 * - `storage/object/<name>` holds the record of an object; the file that it names is complete and never changes.
 * - `storage/file/<id>` holds the name of the object that a file belongs to.
 * - Every upload creates a new generation with its own file and download token, so the URLs of overwritten contents stop
 *   working.
 */
export interface StoredObject extends FileFacts {
  readonly name: string;
  readonly fileId: string;
  /** The uid that uploaded it and is charged for it; empty for an anonymous caller, null for the process itself. */
  readonly owner: string | null;
  /** Microseconds since the epoch; increases with every upload of the name. */
  readonly generation: number;
  /** Increases with every change of the metadata. */
  readonly metageneration: number;
  readonly createdMs: number;
  readonly updatedMs: number;
  readonly downloadTokens: readonly string[];
  readonly settings: ObjectSettings;
}

export const objectPrefix = 'storage/object/';
export const filePrefix = 'storage/file/';

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

/** Returns the operations that replace `before` by `after`; null stands for no object. */
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
  { type: 'del', key: objectPrefix + name },
  { type: 'del', key: filePrefix + fileId },
  ...chargeOperations(owner, { files: -1, bytes: -size }),
];

function putOperations({ name, settings, ...rest }: StoredObject): readonly StoreOperation[] {
  const value = JSON.stringify({ ...rest, settings: settingsToRecord(settings) });
  return [
    { type: 'put', key: objectPrefix + name, value },
    { type: 'put', key: filePrefix + rest.fileId, value: name },
    ...chargeOperations(rest.owner, { files: 1, bytes: rest.size }),
  ];
}

/** Returns an ETag that changes with the contents and the metadata, since downloads depend on both. */
export const etagOf = (object: Pick<StoredObject, 'generation' | 'metageneration'>): string =>
  Buffer.from(`${object.generation}/${object.metageneration}`).toString('base64url');

/** An object before its contents have arrived, with the announced checksums. */
export type DraftObject = Omit<
  StoredObject,
  'fileId' | 'owner' | 'md5Hash' | 'crc32c' | 'downloadTokens'
> & {
  readonly md5Hash: string | null;
  readonly crc32c: string | null;
};

/** Encodes an object for clients; numbers are strings, as in all of Google's JSON. */
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
