/** An index of an object store: its columns are paths into a row, none of them boolean, which IndexedDB takes for no key. */
export interface StoreIndex {
  readonly name: string;
  readonly columns: readonly string[];
}

/** The part of an RxDB schema that says how its rows are found. */
export interface IndexedSchema {
  readonly primaryKey: string | { readonly key: string };
  readonly indexes?: readonly (string | readonly string[])[];
  readonly properties: Readonly<Record<string, unknown>>;
}

/** RxDB's own columns: every index that it is asked for begins with the first, and the second orders a log. */
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

/** Paths of indexed columns that are boolean, which is no key for IndexedDB. */
export function booleansOf(schema: IndexedSchema): ReadonlySet<string> {
  const paths = (schema.indexes ?? []).flat();
  return new Set([deletedPath, ...paths.filter((path) => typeAt(schema, path) === 'boolean')]);
}

/** The indexes of a schema as IndexedDB has them: without booleans, and none that the key itself or nobody needs. */
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

/** The object store's declaration in Dexie's syntax: the primary key, then the indexes. */
export function dexieSchemaOf(schema: IndexedSchema): string {
  return [primaryPathOf(schema), ...indexesOf(schema).map(({ name }) => name)].join(', ');
}
