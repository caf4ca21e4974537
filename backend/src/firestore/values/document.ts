import { isDocumentKey, getField, type FieldPath } from './field-path.ts';
import { microsToText } from './timestamp.ts';
import type { JsonObject } from '../../json.ts';
import { encodeFields } from './value-codec.ts';
import type { Fields, Value } from './value.ts';

/** Immutable: a change makes a new object, so the change log and running readers keep the old one. */
export interface StoredDocument {
  readonly path: string;
  readonly name: string;
  readonly fields: Fields;
  /** Commit versions, in microseconds since the epoch. */
  readonly createVersion: number;
  readonly updateVersion: number;
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

/** The value of a field, where `__name__` is the document's own name. */
export function documentField(document: StoredDocument, field: FieldPath): Value | undefined {
  return isDocumentKey(field)
    ? { kind: 'reference', name: document.name }
    : getField(document.fields, field);
}
