import { isNaNValue, vectorElements, type Fields, type NumberValue, type Value } from './value.ts';

/**
 * Encodes a value as bytes that compare as values do, so that an index on the disk is in query order.
 *
 * - The order is the total order of the SDK; any difference is visible in a client as flicker.
 * - null < boolean < number (NaN first, integers and doubles mixed) < timestamp < string < bytes
 *   < reference < geo point < array < vector < map.
 * - Two values have the same bytes exactly when they compare as equal.
 * - The bytes of a value are never a prefix of another's, so values can be concatenated to a key. The first byte is neither
 *   0 nor 255.
 *
 * @param maxBytes the length up to which the bytes are correct; the rest of a longer key is undefined.
 */
export function valueKey(value: Value, maxBytes = Infinity): Buffer {
  switch (value.kind) {
    case 'null':
      return tags.null;
    case 'boolean':
      return value.value ? tags.true : tags.false;
    case 'integer':
    case 'double':
      return isNaNValue(value) ? tags.nan : Buffer.concat([tags.number, numberBytes(value)]);
    case 'timestamp':
      return Buffer.concat([tags.timestamp, timestampBytes(value.seconds, value.nanos)]);
    case 'string':
      return Buffer.concat([tags.string, textKey(value.value.slice(0, maxBytes))]);
    case 'bytes':
      return Buffer.concat([
        tags.bytes,
        terminated(Buffer.from(value.base64.slice(0, 2 * maxBytes), 'base64')),
      ]);
    case 'reference':
      return Buffer.concat([tags.reference, pathKey(value.name)]);
    case 'geo':
      return Buffer.concat([tags.geo, doubleBytes(value.latitude), doubleBytes(value.longitude)]);
    case 'array':
      return Buffer.concat([tags.array, ...elementKeys(value.values, maxBytes), end]);
    default:
      return mapKey(value.fields, maxBytes);
  }
}

/** Returns the same text for values that compare as equal. */
export const equalityKey = (value: Value): string => valueKey(value).toString('latin1');

const tag = (byte: number) => Buffer.from([byte]);
const end = tag(0);
const tags = {
  null: tag(1),
  false: tag(2),
  true: tag(3),
  nan: tag(4),
  number: tag(5),
  timestamp: tag(6),
  string: tag(7),
  bytes: tag(8),
  reference: tag(9),
  geo: tag(10),
  array: tag(11),
  vector: tag(12),
  map: tag(13),
};

function* elementKeys(values: readonly Value[], maxBytes: number): Generator<Buffer> {
  let left = maxBytes;
  for (const each of values) {
    if (left <= 0) return;
    const key = valueKey(each, left);
    left -= key.length;
    yield key;
  }
}

function mapKey(fields: Fields, maxBytes: number): Buffer {
  const elements = vectorElements({ kind: 'map', fields });
  if (elements !== undefined) {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(elements.length);
    return Buffer.concat([tags.vector, length, ...elementKeys(elements, maxBytes)]);
  }
  const members = [...fields].toSorted(([left], [right]) => compareStrings(left, right));
  const parts: Buffer[] = [tags.map];
  let left = maxBytes;
  for (const [name, value] of members) {
    if (left <= 0) break;
    const member = [tags.null, textKey(name), valueKey(value, left)];
    parts.push(...member);
    left -= member.reduce((sum, each) => sum + each.length, 0);
  }
  return Buffer.concat([...parts, end]);
}

/** Encodes the nearest double and the distance to it, which orders integers that share a double. */
function numberBytes(value: NumberValue): Buffer {
  const nearest = Number(value.value);
  const distance = value.kind === 'integer' ? Number(value.value - BigInt(nearest)) : 0;
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(distance);
  bytes.writeUInt8(bytes.readUInt8() ^ 0x80);
  return Buffer.concat([doubleBytes(nearest), bytes]);
}

/** Encodes a double. Negative ones compare in reverse, so all of their bits are inverted. */
function doubleBytes(value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(value === 0 ? 0 : value);
  const isNegative = bytes.readUInt8() >= 0x80;
  if (!isNegative) bytes.writeUInt8(bytes.readUInt8() ^ 0x80);
  return isNegative ? inverted(bytes) : bytes;
}

const firstSecond = 62_135_596_800;

function timestampBytes(seconds: number, nanos: number): Buffer {
  const bytes = Buffer.alloc(10);
  bytes.writeUIntBE(seconds + firstSecond, 0, 6);
  bytes.writeUInt32BE(nanos, 6);
  return bytes;
}

/** Compares in UTF-8 order: surrogates stand for code points above U+FFFF, so they sort after every other unit. */
export function compareStrings(left: string, right: string): number {
  const length = Math.min(left.length, right.length);
  for (let at = 0; at < length; at++) {
    const a = left.charCodeAt(at);
    const b = right.charCodeAt(at);
    if (a !== b) return isSurrogate(a) === isSurrogate(b) ? a - b : isSurrogate(a) ? 1 : -1;
  }
  return left.length - right.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;

/** Encodes text in UTF-8 order. */
export const textKey = (text: string): Buffer => terminated(Buffer.from(text));

const terminator = Buffer.from([0, 1]);

function terminated(bytes: Buffer): Buffer {
  if (!bytes.includes(0)) return Buffer.concat([bytes, terminator]);
  const escaped = Buffer.allocUnsafe(2 * bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    escaped[length++] = bytes[at] ?? 0;
    if (bytes[at] === 0) escaped[length++] = 0xff;
  }
  return Buffer.concat([escaped.subarray(0, length), terminator]);
}

/** Encodes a path or a resource name. Its key is no prefix of the keys of other paths, unlike `segmentsKey`. */
export const pathKey = (path: string): Buffer => Buffer.concat([segmentsKey(path), end]);

/** The prefix of the keys of all paths below a path; empty for the root. */
export function segmentsKey(path: string): Buffer {
  if (path === '') return Buffer.alloc(0);
  // Encoding all segments at once takes a tenth of the time. It has the same bytes unless an id is numeric or has a zero.
  if (!path.includes('__id') && !path.includes('\0')) {
    return Buffer.from(`\x02${path.replaceAll('/', '\0\x01\x02')}\0\x01`);
  }
  return Buffer.concat(path.split('/').map(segmentKey));
}

/**
 * Ids of the form `__id7__` come first, in the order of their numbers. Parsing a number takes quadratic time in its
 * length, so an id with more digits than an integer has is not numeric.
 */
function segmentKey(segment: string): Buffer {
  const id = /^__id(-?\d{1,19})__$/.exec(segment)?.[1];
  if (id === undefined) return Buffer.concat([tags.false, textKey(segment)]);
  const digits = Buffer.from((BigInt(id) + smallestId).toString(16).padStart(18, '0'), 'hex');
  return Buffer.concat([tags.null, digits, textKey(segment)]);
}

const smallestId = 2n ** 64n;

/** Inverts all bytes, for a descending order. */
export function inverted(bytes: Buffer): Buffer {
  const result = Buffer.allocUnsafe(bytes.length);
  for (let at = 0; at < bytes.length; at++) result[at] = ~(bytes[at] ?? 0);
  return result;
}
