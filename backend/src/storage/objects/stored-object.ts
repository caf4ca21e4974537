import * as v from 'valibot';
import { chargeOperations, replacing } from '../usage.ts';
import { SettingsRecord, settingsToRecord } from './object-settings.ts';

const ObjectRecord = v.object({
  fileId: v.string(),
  /** The uid that uploaded it and is charged for it; empty for an anonymous caller, null for the process itself. */
  owner: v.nullable(v.string()),
  /** Microseconds since the epoch; increases with every upload of the name. */
  generation: v.number(),
  /** Increases with every change of the metadata. */
  metageneration: v.number(),
  size: v.number(),
  md5Hash: v.string(),
  createdMs: v.number(),
  updatedMs: v.number(),
  downloadTokens: v.array(v.string()),
  settings: SettingsRecord,
});

/**
 * - `storage/object/<name>` holds the record of an object; the file that it names is complete and never changes.
 * - `storage/file/<id>` holds the name of the object that a file belongs to.
 * - Every upload creates a new generation with its own file and download token, so the URLs of overwritten contents stop
 *   working.
 */
export interface StoredObject extends Readonly<v.InferOutput<typeof ObjectRecord>> {
  readonly name: string;
}

export const objectPrefix = 'storage/object/';
export const filePrefix = 'storage/file/';

export const decodeObject = (name: string, text: string): StoredObject => ({
  name,
  ...v.parse(ObjectRecord, JSON.parse(text)),
});

/** Returns the operations that replace an object by another; null stands for none. */
export const changeObject = replacing(({ name, settings, ...rest }: StoredObject) => [
  {
    type: 'put',
    key: objectPrefix + name,
    value: JSON.stringify({ ...rest, settings: settingsToRecord(settings) }),
  },
  { type: 'put', key: filePrefix + rest.fileId, value: name },
  ...chargeOperations(rest.owner, { files: 1, bytes: rest.size }),
]);

/** Returns an ETag that changes with the contents and the metadata, since downloads depend on both. */
export const etagOf = (object: Pick<StoredObject, 'generation' | 'metageneration'>): string =>
  Buffer.from(`${object.generation}/${object.metageneration}`).toString('base64url');

/** An object before its contents have arrived, with the announced hash. */
export type DraftObject = Omit<StoredObject, 'fileId' | 'owner' | 'md5Hash' | 'downloadTokens'> & {
  readonly md5Hash: string | null;
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
    etag: etagOf(object),
    downloadTokens: object.downloadTokens.join(','),
    ...(custom.size === 0 ? {} : { metadata: Object.fromEntries(custom) }),
  };
}
