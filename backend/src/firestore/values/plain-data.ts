import { isJsonObject } from '../../json.ts';
import { invalidArgument } from '../firestore-error.ts';
import { requestTime } from './timestamp.ts';
import { checkFieldName } from './value-codec.ts';
import type { Fields, Value } from './value.ts';

/** Document contents as plain JavaScript, for the process that embeds the server. */
export type PlainValue =
  | null
  | boolean
  | number
  | bigint
  | string
  | Date
  | Uint8Array
  | readonly PlainValue[]
  | PlainData;

export interface PlainData {
  readonly [field: string]: PlainValue;
}

export const fieldsFromPlain = (data: PlainData): Fields =>
  new Map(Object.entries(data).map(([name, value]) => [checkFieldName(name), fromPlain(value)]));

/** Converts a plain value; whole numbers become integers, as in the client SDK. */
export function fromPlain(value: unknown): Value {
  if (value === null) return { kind: 'null' };
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'string') return { kind: 'string', value };
  if (typeof value === 'bigint') return { kind: 'integer', value };
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) && !Object.is(value, -0)
      ? { kind: 'integer', value: BigInt(value) }
      : { kind: 'double', value };
  }
  if (value instanceof Date) return requestTime(value.getTime() * 1000);
  if (value instanceof Uint8Array) {
    return { kind: 'bytes', base64: Buffer.from(value).toString('base64') };
  }
  if (Array.isArray(value)) return { kind: 'array', values: value.map(fromPlain) };
  if (isJsonObject(value)) {
    const entries = Object.entries(value);
    return { kind: 'map', fields: new Map(entries.map(([name, each]) => [name, fromPlain(each)])) };
  }
  throw invalidArgument('A value has a type documents cannot hold.');
}

export const fieldsToPlain = (fields: Fields): PlainData =>
  Object.fromEntries([...fields].map(([name, value]) => [name, toPlain(value)]));

function toPlain(value: Value): PlainValue {
  switch (value.kind) {
    case 'null':
      return null;
    case 'boolean':
    case 'string':
    case 'double':
      return value.value;
    case 'integer':
      return Number.isSafeInteger(Number(value.value)) ? Number(value.value) : value.value;
    case 'timestamp':
      return new Date(value.seconds * 1000 + Math.floor(value.nanos / 1_000_000));
    case 'bytes':
      return Buffer.from(value.base64, 'base64');
    case 'reference':
      return value.name;
    case 'geo':
      return { latitude: value.latitude, longitude: value.longitude };
    case 'array':
      return value.values.map(toPlain);
    default:
      return fieldsToPlain(value.fields);
  }
}
