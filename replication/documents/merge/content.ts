import type { Base, Fields } from '../../../schemas/documents/sync-state.ts';

/** The content by which two copies of a document are compared. */
export interface Content extends Base {
  readonly deleted: boolean;
}

export type FieldGroup = readonly string[];

/** Returns a group's values as one comparable string; equal strings mean equal values. */
export function groupKey(group: FieldGroup, fields: Fields): string {
  return JSON.stringify(group.map((name) => fields[name] ?? null));
}

export function sameFields(one: Fields, other: Fields): boolean {
  const names = Object.keys(one);
  if (names.length !== Object.keys(other).length) return false;
  return names.every((name) => one[name] === other[name]);
}

/** Compares fields and deletion, and ignores the stamps: the same value typed twice is one value. */
export function sameContent(one: Content, other: Content): boolean {
  return one.deleted === other.deleted && sameFields(one.fields, other.fields);
}

export function baseOf(content: Content): Base {
  return { fields: content.fields, edits: content.edits };
}
