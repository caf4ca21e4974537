/**
 * An index of an object store. Its columns are paths into a row, none of them boolean, since IndexedDB has no boolean
 * keys.
 */
export interface StoreIndex {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The part of an RxDB schema that defines its keys and indexes. */
export interface IndexedSchema {
  readonly primaryKey: string | { readonly key: string };
  readonly indexes?: readonly (string | readonly string[])[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/** RxDB's own columns. Every requested index begins with the first; the second orders a change log. */
export const deletedPath = '_deleted';
export const metaPath = '_meta.lwt';

function primaryPathOf({ primaryKey }: IndexedSchema): string {
  return typeof primaryKey === 'string' ? primaryKey : primaryKey.key;
}

function typeAt(schema: IndexedSchema, path: string): unknown {
  let found: unknown = schema;
  for (const name of path.split('.')) {
    const properties: unknown = Object(found).properties;
    found = Object(properties)[name];
  }
  return Object(found).type;
}

/** Returns the paths of indexed columns that are boolean, which IndexedDB cannot index. */
export function booleansOf(schema: IndexedSchema): ReadonlySet<string> {
  const paths = (schema.indexes ?? []).flat();
  return new Set([deletedPath, ...paths.filter((path) => typeAt(schema, path) === 'boolean')]);
}

/** Returns the indexes of a schema in IndexedDB: without boolean columns, and without redundant or unused ones. */
export function indexesOf(schema: IndexedSchema): readonly StoreIndex[] {
  const booleans = booleansOf(schema);
  const primaryPath = primaryPathOf(schema);
  const lists = (schema.indexes ?? []).map((index) => [index].flat());
  const columns = lists
    .filter((list) => !list.includes(metaPath))
    .map((list) => list.filter((path) => !booleans.has(path)))
    .filter((list) => list.some((path) => path !== primaryPath));
  const byName = new Map(columns.map((list) => [nameOf(list), list]));
  return [...byName].map(([name, list]) => ({ name, columns: list }));
}

function nameOf(columns: readonly string[]): string {
  const [first = ''] = columns;
  return columns.length === 1 ? first : `[${columns.join('+')}]`;
}

/** Returns the object store's declaration in Dexie's syntax: the primary key, then the indexes. */
export function dexieSchemaOf(schema: IndexedSchema): string {
  return [primaryPathOf(schema), ...indexesOf(schema).map(({ name }) => name)].join(', ');
}
