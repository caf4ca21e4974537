import * as v from 'valibot';
import { isJsonObject, type JsonObject } from '../../json.ts';
import { hasControlCharacter } from './object-name.ts';
import { invalid } from '../storage-error.ts';

/** The stored form of settings, with custom metadata as a list of pairs. */
export const SettingsRecord = v.object({
  contentType: v.string(),
  contentDisposition: v.string(),
  contentEncoding: v.string(),
  contentLanguage: v.nullable(v.string()),
  cacheControl: v.nullable(v.string()),
  custom: v.pipe(
    v.array(v.tuple([v.string(), v.string()])),
    v.transform((pairs): ReadonlyMap<string, string> => new Map(pairs)),
  ),
});

/**
 * The metadata of an object that clients can set.
 *
 * - No value can end a header line: `mergeSettings` refuses control characters.
 * - Custom metadata is a map, so that a key such as `__proto__` is an ordinary key.
 */
export type ObjectSettings = Readonly<v.InferOutput<typeof SettingsRecord>>;

export const defaultSettings: ObjectSettings = {
  contentType: 'application/octet-stream',
  contentDisposition: 'inline',
  contentEncoding: 'identity',
  contentLanguage: null,
  cacheControl: null,
  custom: new Map(),
};

const maxFieldBytes = 1024;
const maxCustomBytes = 8 * 1024;

/** Applies a client's metadata: a missing field stays, and a null or empty one falls back to the default. */
export function mergeSettings(base: ObjectSettings, json: JsonObject): ObjectSettings {
  const field = <Name extends Exclude<keyof ObjectSettings, 'custom'>>(name: Name) => {
    const value = json[name];
    if (value === undefined) return base[name];
    return value === null || value === '' ? defaultSettings[name] : checkHeader(name, value);
  };
  return {
    contentType: field('contentType'),
    contentDisposition: field('contentDisposition'),
    contentEncoding: field('contentEncoding'),
    contentLanguage: field('contentLanguage'),
    cacheControl: field('cacheControl'),
    custom: mergeCustom(base.custom, json['metadata']),
  };
}

function checkHeader(name: string, value: unknown): string {
  if (typeof value !== 'string') throw invalid(`${name} must be a string.`);
  if (hasControlCharacter(value)) throw invalid(`${name} must not have control characters.`);
  if (Buffer.byteLength(value) > maxFieldBytes) throw invalid(`${name} is too long.`);
  return value;
}

function mergeCustom(
  base: ReadonlyMap<string, string>,
  json: unknown,
): ReadonlyMap<string, string> {
  if (json === undefined) return base;
  if (json === null) return new Map();
  if (!isJsonObject(json)) throw invalid('metadata must be an object.');
  const merged = new Map(base);
  for (const [key, value] of Object.entries(json)) {
    if (value === null) merged.delete(key);
    else if (typeof value === 'string') merged.set(key, value);
    else throw invalid('Values of custom metadata must be strings.');
  }
  const bytes = [...merged].flat().reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > maxCustomBytes) {
    throw invalid(`Custom metadata must have at most ${maxCustomBytes} bytes.`);
  }
  return merged;
}

export const settingsToRecord = ({ custom, ...rest }: ObjectSettings) => ({
  ...rest,
  custom: [...custom],
});
