/** Which documents an index holds: those of one collection, or of all collections with that id. */
export type QueryScope = 'COLLECTION' | 'COLLECTION_GROUP';

export type IndexMode = 'ASCENDING' | 'DESCENDING' | 'CONTAINS';

export interface IndexField {
  readonly path: string;
  readonly mode: IndexMode;
}

/** `fields` are complete: they end in `__name__`. */
export interface IndexDefinition {
  readonly collectionGroup: string;
  readonly scope: QueryScope;
  readonly fields: readonly IndexField[];
}

export interface SingleFieldIndex {
  readonly scope: QueryScope;
  readonly mode: IndexMode;
}

/** Takes the place of the automatic indexes of a field and of what lies below it. */
export interface FieldOverride {
  readonly collectionGroup: string;
  readonly path: string;
  readonly indexes: readonly SingleFieldIndex[];
}

export interface DeclaredIndexes {
  readonly composite: readonly IndexDefinition[];
  readonly overrides: readonly FieldOverride[];
}

export const KEY_PATH = '__name__';

/** Where it is not written down, an index ends in the key in the direction of its last field. */
export function withKey(fields: readonly IndexField[]): readonly IndexField[] {
  const last = fields.at(-1);
  if (last?.path === KEY_PATH) return fields;
  const mode = last?.mode === 'DESCENDING' ? 'DESCENDING' : 'ASCENDING';
  return [...fields, { path: KEY_PATH, mode }];
}
