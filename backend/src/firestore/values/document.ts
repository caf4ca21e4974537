import { isDocumentKey, getField, type FieldPath } from './field-path.ts';
import { microsToText } from './timestamp.ts';
import type { JsonObject } from '../../json.ts';
import { encodeFields } from './value-codec.ts';
import type { Fields, Value } from './value.ts';

/** An immutable document. Two reads can give two objects; states are distinguished by their version. */
export interface StoredDocument {
  readonly path: string;
  readonly name: string;
  readonly fields: Fields;
  /** Commit versions, in microseconds since the epoch. */
  readonly createVersion: number;
  readonly updateVersion: number;
  /** The uid that created it and is charged for it; empty for an anonymous caller, null for the process itself. */
  readonly owner: string | null;
}

export interface DocumentChange {
  readonly path: string;
  readonly before: StoredDocument | null;
  readonly after: StoredDocument | null;
}

export function encodeDocument(document: StoredDocument): JsonObject {
  return {
    name: document.name,
    fields: encodeFields(document.fields),
    createTime: microsToText(document.createVersion),
    updateTime: microsToText(document.updateVersion),
  };
}

/** Returns the value of a field; `__name__` is the name of the document. */
export function documentField(document: StoredDocument, field: FieldPath): Value | undefined {
  return isDocumentKey(field)
    ? { kind: 'reference', name: document.name }
    : getField(document.fields, field);
}
