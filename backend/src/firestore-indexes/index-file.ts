import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { parseJson } from '../json.ts';

const fieldPath = v.pipe(
  v.string(),
  v.check((text) => text !== '*', 'An override of all fields (*) is not supported.'),
);
const order = v.picklist(['ASCENDING', 'DESCENDING']);
const arrayConfig = v.literal('CONTAINS');
const queryScope = v.picklist(['COLLECTION', 'COLLECTION_GROUP']);
const collectionGroup = v.pipe(v.string(), v.minLength(1));

export const keyPath = '__name__';

/** A field of an index with its mode, equal for equal fields: `name ASCENDING`, `tags CONTAINS`. */
export type IndexField = string;
export const pathOf = (field: IndexField): string => field.slice(0, field.lastIndexOf(' '));
export const modeOf = (field: IndexField): string => field.slice(field.lastIndexOf(' ') + 1);

type Mode =
  | { order: v.InferOutput<typeof order> }
  | { arrayConfig: v.InferOutput<typeof arrayConfig> };

const modeOfJson = (index: Mode) => ('order' in index ? index.order : index.arrayConfig);

const indexField = v.pipe(
  v.union([v.strictObject({ fieldPath, order }), v.strictObject({ fieldPath, arrayConfig })]),
  v.transform((field): IndexField => `${field.fieldPath} ${modeOfJson(field)}`),
);

const singleFieldIndex = v.pipe(
  v.union([v.strictObject({ order, queryScope }), v.strictObject({ arrayConfig, queryScope })]),
  v.transform((index) => ({ mode: modeOfJson(index), queryScope: index.queryScope })),
);
export type SingleFieldIndex = v.InferOutput<typeof singleFieldIndex>;

/**
 * The `firestore.indexes.json` of `firebase deploy`, which checks whether an index makes sense. Entries that this server
 * does not support are refused.
 */
const fileSchema = v.strictObject({
  indexes: v.optional(
    v.array(
      v.strictObject({
        collectionGroup,
        queryScope,
        fields: v.pipe(
          v.array(indexField),
          v.minLength(
            2,
            'A composite index has at least two fields; one field is a field override.',
          ),
          v.transform((fields) => withKey(fields)),
        ),
        density: v.optional(v.literal('SPARSE_ALL')),
      }),
    ),
    [],
  ),
  /** Overrides replace the automatic indexes of a field and of the fields below it. */
  fieldOverrides: v.optional(
    v.array(
      v.strictObject({
        collectionGroup,
        fieldPath,
        ttl: v.optional(v.boolean()),
        indexes: v.array(singleFieldIndex),
      }),
    ),
    [],
  ),
});
export type DeclaredIndexes = v.InferOutput<typeof fileSchema>;

/** Appends the key, in the direction of the last field, to an index that does not name it. */
export function withKey(fields: readonly IndexField[]): readonly IndexField[] {
  const last = fields.at(-1) ?? '';
  if (last.startsWith(`${keyPath} `)) return fields;
  return [...fields, `${keyPath} ${last.endsWith(' DESCENDING') ? 'DESCENDING' : 'ASCENDING'}`];
}

/** @throws {Error} whose message is one sentence for the author of the file. */
export function parseIndexes(text: string, file: string): DeclaredIndexes {
  const json = parseJson(text);
  if (!json.ok) throw new Error(`${file}: This is not JSON.`);
  const parsed = v.safeParse(fileSchema, json.value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue);
  throw new Error([file, ...(place === null ? [] : [place]), issue.message].join(': '));
}

/** As `parseIndexes`, of a file. */
export async function readIndexes(file: string): Promise<DeclaredIndexes> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new Error(`${file}: This file cannot be read.`);
  });
  return parseIndexes(text, file);
}
