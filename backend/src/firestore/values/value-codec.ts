import { isJsonObject, type JsonObject } from '../../json.ts';
import { invalidArgument } from '../firestore-error.ts';
import { maxNameBytes, maxSegments } from './resource-path.ts';
import { parseTimestamp } from './timestamp.ts';
import { maxInt64, minInt64, type Fields, type Value } from './value.ts';

const maxDepth = 20;
/** More than the segments of a document's path, and those of the database before it. */
const maxParts = maxSegments * 2 + 10;

/** The number of values that may still be decoded. */
interface Budget {
  left: number;
}

/** @param maxValues above which INVALID_ARGUMENT is thrown, before the rest is decoded. */
export const decodeFields = (json: unknown, maxValues = Infinity): Fields =>
  decodeMembers(json, 0, { left: maxValues });

/**
 * - It accepts exactly what ProtoJSON allows, and throws INVALID_ARGUMENT for the rest.
 * - It checks the nesting before it descends, so no input overflows the stack.
 * - Field names of the form `__x__` are reserved; `__type__` is the marker of a vector.
 */
export function decodeValue(json: unknown, depth = 0, budget: Budget = { left: Infinity }): Value {
  if (budget.left-- <= 0) throw invalidArgument('There are too many values.');
  if (!isJsonObject(json)) throw invalidArgument('A value must be an object.');
  const keys = Object.keys(json);
  const [key] = keys;
  const decode = key === undefined ? undefined : decoders.get(key);
  if (key === undefined || keys.length !== 1 || decode === undefined) {
    throw invalidArgument('A value must have exactly one known type.');
  }
  return decode(json[key], depth, budget);
}

type Decoder = (raw: unknown, depth: number, budget: Budget) => Value;

const decoders = new Map<string, Decoder>([
  ['nullValue', decodeNull],
  ['booleanValue', decodeBoolean],
  ['integerValue', decodeInteger],
  ['doubleValue', decodeDouble],
  ['timestampValue', decodeTimestamp],
  ['stringValue', (raw) => ({ kind: 'string', value: text(raw, 'stringValue') })],
  ['bytesValue', decodeBytes],
  ['referenceValue', decodeReference],
  ['geoPointValue', decodeGeoPoint],
  ['arrayValue', decodeArray],
  ['mapValue', decodeMap],
]);

function text(raw: unknown, what: string): string {
  if (typeof raw !== 'string') throw invalidArgument(`${what} must be a string.`);
  return raw;
}

function decodeReference(raw: unknown): Value {
  const name = text(raw, 'referenceValue');
  if (Buffer.byteLength(name) > maxNameBytes || name.split('/', maxParts).length === maxParts) {
    throw invalidArgument(
      `referenceValue is longer than ${maxNameBytes} bytes or ${maxSegments * 2} segments.`,
    );
  }
  return { kind: 'reference', name };
}

function decodeNull(raw: unknown): Value {
  if (raw !== null && raw !== 'NULL_VALUE' && raw !== 0) {
    throw invalidArgument('nullValue must be null.');
  }
  return { kind: 'null' };
}

function decodeBoolean(raw: unknown): Value {
  if (typeof raw !== 'boolean') throw invalidArgument('booleanValue must be true or false.');
  return { kind: 'boolean', value: raw };
}

function decodeInteger(raw: unknown): Value {
  const digits = typeof raw === 'number' && Number.isSafeInteger(raw) ? String(raw) : raw;
  if (typeof digits !== 'string' || !/^-?\d{1,19}$/.test(digits)) {
    throw invalidArgument('integerValue must be a 64-bit integer.');
  }
  const value = BigInt(digits);
  if (value < minInt64 || value > maxInt64) {
    throw invalidArgument('integerValue must be a 64-bit integer.');
  }
  return { kind: 'integer', value };
}

const specialDoubles = new Set<unknown>(['NaN', 'Infinity', '-Infinity', '-0']);

function decodeDouble(raw: unknown): Value {
  const isNumber = typeof raw === 'number' || specialDoubles.has(raw);
  if (!isNumber) throw invalidArgument('doubleValue must be a number.');
  return { kind: 'double', value: Number(raw) };
}

function decodeTimestamp(raw: unknown): Value {
  const timestamp = parseTimestamp(text(raw, 'timestampValue'));
  if (timestamp === undefined) throw invalidArgument('timestampValue must be an RFC 3339 time.');
  return timestamp;
}

function decodeBytes(raw: unknown): Value {
  const base64 = text(raw, 'bytesValue');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(base64)) throw invalidArgument('bytesValue must be base64.');
  return { kind: 'bytes', base64 };
}

function decodeGeoPoint(raw: unknown): Value {
  if (!isJsonObject(raw)) throw invalidArgument('geoPointValue must be an object.');
  const { latitude = 0, longitude = 0 } = raw;
  if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) {
    throw invalidArgument('geoPointValue is outside its range.');
  }
  return { kind: 'geo', latitude, longitude };
}

const isWithin = (value: unknown, limit: number): value is number =>
  typeof value === 'number' && Math.abs(value) <= limit;

function decodeArray(raw: unknown, depth: number, budget: Budget): Value {
  if (!isJsonObject(raw)) throw invalidArgument('arrayValue must be an object.');
  const { values = [] } = raw;
  if (!Array.isArray(values)) throw invalidArgument('arrayValue.values must be a list.');
  checkDepth(depth);
  return { kind: 'array', values: values.map((each) => decodeValue(each, depth + 1, budget)) };
}

function decodeMap(raw: unknown, depth: number, budget: Budget): Value {
  if (!isJsonObject(raw)) throw invalidArgument('mapValue must be an object.');
  checkDepth(depth);
  return { kind: 'map', fields: decodeMembers(raw['fields'], depth + 1, budget) };
}

/** @throws {FirestoreError} INVALID_ARGUMENT for a list or a map at this depth, which could not be decoded again. */
export function checkDepth(depth: number): void {
  if (depth >= maxDepth) {
    throw invalidArgument(`A value exceeds the maximum depth of ${maxDepth} levels.`);
  }
}

const maxFieldNameBytes = 1500;
/** All empty maps are the same one: each would take 200 bytes, and a document has room for 40,000. */
const noFields: Fields = new Map();

function decodeMembers(json: unknown, depth: number, budget: Budget): Fields {
  if (json === undefined) return noFields;
  if (!isJsonObject(json)) throw invalidArgument('fields must be an object.');
  const entries = Object.entries(json);
  if (entries.length === 0) return noFields;
  const fields = new Map<string, Value>();
  for (const [name, value] of entries) {
    fields.set(checkFieldName(name), decodeValue(value, depth, budget));
  }
  return fields;
}

export function checkFieldName(name: string): string {
  if (name === '') throw invalidArgument('A field name must not be empty.');
  if (Buffer.byteLength(name) > maxFieldNameBytes) {
    throw invalidArgument(`A field name is longer than ${maxFieldNameBytes} bytes.`);
  }
  if (/^__.*__$/su.test(name) && name !== '__type__') {
    throw invalidArgument('A field name of the form __.*__ is reserved.');
  }
  return name;
}

export function encodeFields(fields: Fields): JsonObject {
  const entries = [...fields].map(([name, value]) => [name, encodeValue(value)] as const);
  return Object.fromEntries(entries);
}

export function encodeValue(value: Value): JsonObject {
  switch (value.kind) {
    case 'null':
      return { nullValue: null };
    case 'boolean':
      return { booleanValue: value.value };
    case 'integer':
      return { integerValue: String(value.value) };
    case 'double':
      return { doubleValue: encodeDouble(value.value) };
    case 'timestamp':
      return { timestampValue: value.text };
    case 'string':
      return { stringValue: value.value };
    case 'bytes':
      return { bytesValue: value.base64 };
    case 'reference':
      return { referenceValue: value.name };
    case 'geo':
      return { geoPointValue: { latitude: value.latitude, longitude: value.longitude } };
    case 'array':
      return { arrayValue: { values: value.values.map(encodeValue) } };
    default:
      return { mapValue: { fields: encodeFields(value.fields) } };
  }
}

/** Encodes a double; NaN and infinities have no JSON literal, so they are encoded as the names that the SDK reads. */
const encodeDouble = (value: number): number | string =>
  Number.isFinite(value) ? (Object.is(value, -0) ? '-0' : value) : String(value);
