import { invalidArgument } from '../firestore-error.ts';
import type { StoredDocument } from './document.ts';
import { checkDepth } from './value-codec.ts';
import type { Fields, Value } from './value.ts';

const maxDocumentBytes = 1_048_576;
/** As many entries as one document can have in the indexes of hosted Firestore, which has one or two for each value. */
export const maxDocumentValues = 40_000;
/** The work with a value, in bytes of text: about 50 ns. */
const bytesPerValue = 64;
const bytesPerEncodedValue = 512;
const documentOverheadBytes = 32;
const nameOverheadBytes = 16;

/** The size as Firestore documents it, and the number of values, those in maps and arrays included. */
export interface Measure {
  bytes: number;
  values: number;
}

/**
 * Measures a document: names and strings count as UTF-8 plus one byte.
 *
 * @throws {FirestoreError} INVALID_ARGUMENT when the fields are nested too deeply: transforms can build deeper values than
 * any input.
 */
export function measureDocument(name: string, fields: Fields): Readonly<Measure> {
  const sum = { bytes: nameSize(name) + documentOverheadBytes, values: 0 };
  addFields(fields, 0, sum);
  return sum;
}

/** Returns the size of a stored document, as `measureDocument` does; 0 without one. */
export const storedSize = (document: StoredDocument | null): number =>
  document === null ? 0 : measureDocument(document.name, document.fields).bytes;

/** Returns the work with a document, in bytes of text. */
export const documentWork = ({ bytes, values }: Measure): number => bytes + values * bytesPerValue;

/** Returns the work of encoding the values of a list, in bytes of text: about 700 ns for each value. */
export function encodingWork(values: readonly Value[]): number {
  const sum = { bytes: 0, values: 0 };
  for (const each of values) addValue(each, 0, sum);
  return sum.bytes + sum.values * bytesPerEncodedValue;
}

/** @throws {FirestoreError} INVALID_ARGUMENT */
export function checkDocumentSize(name: string, { bytes, values }: Measure): void {
  if (values > maxDocumentValues) {
    throw invalidArgument(
      `Document '${name}' cannot be written because it has more than ${maxDocumentValues.toLocaleString('en')} values.`,
    );
  }
  if (bytes <= maxDocumentBytes) return;
  throw invalidArgument(
    `Document '${name}' cannot be written because its size (${bytes.toLocaleString('en')} bytes) ` +
      `exceeds the maximum allowed size of ${maxDocumentBytes.toLocaleString('en')} bytes (1 MiB).`,
  );
}

function nameSize(name: string): number {
  const path = name.slice(name.indexOf('/documents/') + '/documents/'.length);
  return path
    .split('/')
    .reduce((sum, segment) => sum + Buffer.byteLength(segment) + 1, nameOverheadBytes);
}

function addFields(fields: Fields, depth: number, sum: Measure): void {
  for (const [name, value] of fields) {
    sum.bytes += Buffer.byteLength(name) + 1;
    addValue(value, depth, sum);
  }
}

function addValue(value: Value, depth: number, sum: Measure): void {
  sum.values++;
  if (value.kind !== 'array' && value.kind !== 'map') {
    sum.bytes += sizeOf(value);
    return;
  }
  checkDepth(depth);
  const { bytes } = sum;
  if (value.kind === 'map') addFields(value.fields, depth + 1, sum);
  else for (const each of value.values) addValue(each, depth + 1, sum);
  // An empty map or array takes room, though it counts as nothing in hosted Firestore.
  if (sum.bytes === bytes) sum.bytes++;
}

function sizeOf(value: Exclude<Value, { kind: 'array' | 'map' }>): number {
  switch (value.kind) {
    case 'null':
    case 'boolean':
      return 1;
    case 'string':
      return Buffer.byteLength(value.value) + 1;
    case 'bytes':
      return Buffer.byteLength(value.base64, 'base64');
    case 'reference':
      return nameSize(value.name);
    case 'geo':
      return 16;
    default:
      return 8;
  }
}
