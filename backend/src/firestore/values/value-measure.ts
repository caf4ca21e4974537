import { invalidArgument } from '../firestore-error.ts';
import type { StoredDocument } from './document.ts';
import type { Fields, Value } from './value.ts';

const maxDocumentBytes = 1_048_576;
const documentOverheadBytes = 32;
const nameOverheadBytes = 16;

/** Returns the size as Firestore documents it: names and strings count as UTF-8 plus one byte. */
export const documentSize = (name: string, fields: Fields): number =>
  nameSize(name) + fieldsSize(fields) + documentOverheadBytes;

/** As `documentSize`, of a stored document; 0 without one. */
export const storedSize = (document: StoredDocument | null): number =>
  document === null ? 0 : documentSize(document.name, document.fields);

export function checkDocumentSize(name: string, bytes: number): void {
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

function fieldsSize(fields: Fields): number {
  let bytes = 0;
  for (const [name, value] of fields) bytes += Buffer.byteLength(name) + 1 + valueSize(value);
  return bytes;
}

function valueSize(value: Value): number {
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
      return value.values.reduce((sum, each) => sum + valueSize(each), 0);
    default:
      return fieldsSize(value.fields);
  }
}
