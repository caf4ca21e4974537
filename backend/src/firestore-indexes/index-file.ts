import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { parseFieldPath } from '../firestore/values/field-path.ts';
import { withKey, type DeclaredIndexes, type IndexField } from './index-definition.ts';

/**
 * Reads firestore.indexes.json as `firebase deploy` takes it. What this server would not heed is refused, not skipped.
 */

/** Its message is one sentence for whoever wrote the file. */
export class IndexFileError extends Error {
  constructor(file: string, problem: string) {
    super(`${file}: ${problem}`);
    this.name = 'IndexFileError';
  }
}

const pathSchema = v.pipe(
  v.string(),
  v.check(isFieldPath, 'Expected a field path.'),
  v.check((text) => text !== '*', 'An override of all fields (*) is not supported.'),
);

const order = v.picklist(['ASCENDING', 'DESCENDING']);
const arrayConfig = v.literal('CONTAINS');
const queryScope = v.picklist(['COLLECTION', 'COLLECTION_GROUP']);
const collectionGroup = v.pipe(v.string(), v.minLength(1));

const fieldSchema = v.union([
  v.strictObject({ fieldPath: pathSchema, order }),
  v.strictObject({ fieldPath: pathSchema, arrayConfig }),
]);

type DeclaredField = v.InferOutput<typeof fieldSchema>;

const compositeSchema = v.strictObject({
  collectionGroup,
  queryScope,
  fields: v.pipe(
    v.array(fieldSchema),
    v.minLength(2, 'A composite index has at least two fields; one field is a field override.'),
    v.check(
      (fields) => isInOrder(fields),
      'Each field stands once in an order and once by its elements, and __name__ last.',
    ),
  ),
  density: v.optional(v.literal('SPARSE_ALL')),
});

const overrideSchema = v.strictObject({
  collectionGroup,
  fieldPath: pathSchema,
  ttl: v.optional(v.boolean()),
  indexes: v.array(
    v.union([v.strictObject({ queryScope, order }), v.strictObject({ queryScope, arrayConfig })]),
  ),
});

const fileSchema = v.strictObject({
  indexes: v.optional(v.array(compositeSchema), []),
  fieldOverrides: v.optional(v.array(overrideSchema), []),
});

function isFieldPath(text: string): boolean {
  try {
    return parseFieldPath(text).segments.length > 0;
  } catch {
    return false;
  }
}

function isInOrder(fields: readonly DeclaredField[]): boolean {
  const paths = fields.map(({ fieldPath }) => fieldPath);
  const keyAt = paths.indexOf('__name__');
  const kinds = fields.map((each) => `${'order' in each} ${each.fieldPath}`);
  return new Set(kinds).size === kinds.length && (keyAt === -1 || keyAt === paths.length - 1);
}

const toField = (field: DeclaredField): IndexField => ({
  path: field.fieldPath,
  mode: 'order' in field ? field.order : field.arrayConfig,
});

/** @throws {IndexFileError} */
export function parseIndexes(text: string, file: string): DeclaredIndexes {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new IndexFileError(file, 'This is not JSON.');
  }
  const parsed = v.safeParse(fileSchema, json);
  if (!parsed.success) {
    const [issue] = parsed.issues;
    const place = v.getDotPath(issue);
    throw new IndexFileError(file, place === null ? issue.message : `${place}: ${issue.message}`);
  }
  const { indexes, fieldOverrides } = parsed.output;
  return {
    composite: indexes.map((each) => ({
      collectionGroup: each.collectionGroup,
      scope: each.queryScope,
      fields: withKey(each.fields.map(toField)),
    })),
    overrides: fieldOverrides.map((each) => ({
      collectionGroup: each.collectionGroup,
      path: each.fieldPath,
      indexes: each.indexes.map((index) => ({
        scope: index.queryScope,
        mode: 'order' in index ? index.order : index.arrayConfig,
      })),
    })),
  };
}

/** @throws {IndexFileError} */
export async function readIndexes(file: string): Promise<DeclaredIndexes> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new IndexFileError(file, 'This file cannot be read.');
  });
  return parseIndexes(text, file);
}
