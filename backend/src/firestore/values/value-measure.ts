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

/**
 * Returns the size as Firestore documents it: names and strings count as UTF-8 plus one byte.
 *
 * @throws {FirestoreError} INVALID_ARGUMENT when the fields are nested too deeply: transforms can build deeper values than
 * any input.
 */
export const documentSize = (name: string, fields: Fields): number =>
  nameSize(name) + fieldsSize(fields, 0) + documentOverheadBytes;

/** As `documentSize`, of a stored document; 0 without one. */
export const storedSize = (document: StoredDocument | null): number =>
  document === null ? 0 : documentSize(document.name, document.fields);

/** Returns the number of values in the fields, those of maps and arrays included. */
export function countValues(fields: Fields): number {
  let count = 0;
  for (const value of fields.values()) count += countOf(value);
  return count;
}

const countOf = (value: Value): number => {
  if (value.kind === 'map') return 1 + countValues(value.fields);
  if (value.kind !== 'array') return 1;
  return value.values.reduce((sum, each) => sum + countOf(each), 1);
};

/** Returns the work with a document, in bytes of text. */
export const documentWork = (bytes: number, values: number): number =>
  bytes + values * bytesPerValue;

/** Returns the work of encoding the values of a list, in bytes of text: about 700 ns for each value. */
export const encodingWork = (values: readonly Value[]): number =>
  values.reduce((sum, each) => sum + valueSize(each, 0) + countOf(each) * bytesPerEncodedValue, 0);

/** @throws {FirestoreError} INVALID_ARGUMENT */
export function checkDocumentSize(name: string, bytes: number, values: number): void {
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

function fieldsSize(fields: Fields, depth: number): number {
  let bytes = 0;
  for (const [name, value] of fields)
    bytes += Buffer.byteLength(name) + 1 + valueSize(value, depth);
  return bytes;
}

function valueSize(value: Value, depth: number): number {
  switch (value.kind) {
    case 'null':
    case 'boolean':
      return 1;
    case 'integer':
    case 'double':
    case 'timestamp':
      return 8;
    case 'string':
      return Buffer.byteLength(value.value) + 1;
    case 'bytes':
      return Buffer.byteLength(value.base64, 'base64');
    case 'reference':
      return nameSize(value.name);
    case 'geo':
      return 16;
    case 'array':
      checkDepth(depth);
      return atLeastOne(value.values.reduce((sum, each) => sum + valueSize(each, depth + 1), 0));
    default:
      checkDepth(depth);
      return atLeastOne(fieldsSize(value.fields, depth + 1));
  }
}

/** An empty map or array takes room, though it counts as nothing in hosted Firestore. */
const atLeastOne = (bytes: number): number => Math.max(1, bytes);
