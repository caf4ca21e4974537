import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { parseFieldPath } from '../firestore/values/field-path.ts';
import { parseJson } from '../json.ts';

const isFieldPath = (text: string): boolean => {
  try {
    return parseFieldPath(text).segments.length > 0;
  } catch {
    return false;
  }
};

const fieldPath = v.pipe(
  v.string(),
  v.check(isFieldPath, 'Expected a field path.'),
  v.check((text) => text !== '*', 'An override of all fields (*) is not supported.'),
);
const order = v.picklist(['ASCENDING', 'DESCENDING']);
const arrayConfig = v.literal('CONTAINS');
const queryScope = v.picklist(['COLLECTION', 'COLLECTION_GROUP']);
const collectionGroup = v.pipe(v.string(), v.minLength(1));

const IndexField = v.union([
  v.strictObject({ fieldPath, order }),
  v.strictObject({ fieldPath, arrayConfig }),
]);
export type IndexField = v.InferOutput<typeof IndexField>;

const SingleFieldIndex = v.union([
  v.strictObject({ order, queryScope }),
  v.strictObject({ arrayConfig, queryScope }),
]);
export type SingleFieldIndex = v.InferOutput<typeof SingleFieldIndex>;

/** The `firestore.indexes.json` of `firebase deploy`. Entries that this server does not support are refused. */
const fileSchema = v.strictObject({
  indexes: v.optional(
    v.array(
      v.strictObject({
        collectionGroup,
        queryScope,
        fields: v.pipe(
          v.array(IndexField),
          v.minLength(
            2,
            'A composite index has at least two fields; one field is a field override.',
          ),
          v.check(
            (fields) => isInOrder(fields),
            'Each field stands once in an order and once by its elements, and __name__ last.',
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
        indexes: v.array(SingleFieldIndex),
      }),
    ),
    [],
  ),
});
export type DeclaredIndexes = v.InferOutput<typeof fileSchema>;

export const keyPath = '__name__';

export type IndexMode = 'ASCENDING' | 'DESCENDING' | 'CONTAINS';

export const modeOf = (index: IndexField | SingleFieldIndex): IndexMode =>
  'order' in index ? index.order : index.arrayConfig;

export const isSameField = (one: IndexField | undefined, other: IndexField | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  one.fieldPath === other.fieldPath &&
  modeOf(one) === modeOf(other);

/** Appends the key, in the direction of the last field, to an index that does not name it. */
export function withKey(fields: readonly IndexField[]): readonly IndexField[] {
  const last = fields.at(-1);
  if (last?.fieldPath === keyPath) return fields;
  const isDescending = last !== undefined && modeOf(last) === 'DESCENDING';
  return [...fields, { fieldPath: keyPath, order: isDescending ? 'DESCENDING' : 'ASCENDING' }];
}

function isInOrder(fields: readonly IndexField[]): boolean {
  const kinds = fields.map((each) => `${'order' in each} ${each.fieldPath}`);
  const isKeyEarly = fields.slice(0, -1).some((each) => each.fieldPath === keyPath);
  return new Set(kinds).size === kinds.length && !isKeyEarly;
}

/** Its message is one sentence for the author of the file. */
class IndexFileError extends Error {
  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`);
    this.name = 'IndexFileError';
  }
}

/** @throws {IndexFileError} */
export function parseIndexes(text: string, file: string): DeclaredIndexes {
  const json = parseJson(text);
  if (!json.ok) throw new IndexFileError(file, 'This is not JSON.');
  const parsed = v.safeParse(fileSchema, json.value);
  if (parsed.success) return parsed.output;
  const [issue] = parsed.issues;
  const place = v.getDotPath(issue);
  throw new IndexFileError(file, place === null ? issue.message : `${place}: ${issue.message}`);
}

/** @throws {IndexFileError} */
export async function readIndexes(file: string): Promise<DeclaredIndexes> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new IndexFileError(file, 'This file cannot be read.');
  });
  return parseIndexes(text, file);
}
