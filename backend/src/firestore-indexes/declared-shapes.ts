import { shapeId, type IndexShape } from '../firestore/query/index-range.ts';
import { parseFieldPath } from '../firestore/values/field-path.ts';
import { modeOf, pathOf, withKey, type DeclaredIndexes } from './index-file.ts';

type DeclaredIndex = Omit<DeclaredIndexes['indexes'][number], 'density'>;

/** Returns whether an index of the server has exactly the fields of a declared one, so that it is one of a fixed number. */
export function createIsDeclared({ indexes, fieldOverrides }: DeclaredIndexes) {
  const overrides = fieldOverrides.flatMap(({ collectionGroup, fieldPath, indexes: each }) =>
    each.map(({ mode, queryScope }) => {
      const fields = withKey([`${fieldPath} ${mode}`]);
      return { collectionGroup, queryScope, fields };
    }),
  );
  const ids = new Set([...indexes, ...overrides].flatMap(shapesOf).map(shapeId));
  return (shape: IndexShape): boolean => ids.has(shapeId(shape));
}

/** Returns the shapes that a declared index serves: of any number of equalities, and an order by the fields after them. */
function shapesOf({ collectionGroup, queryScope, fields }: DeclaredIndex): readonly IndexShape[] {
  const orders = fields.map((each) => ({
    field: parseFieldPath(pathOf(each)),
    isDescending: modeOf(each) === 'DESCENDING',
  }));
  return orders.map(({ isDescending: isReverse }, at) => ({
    collectionId: collectionGroup,
    isGroup: queryScope === 'COLLECTION_GROUP',
    equalities: orders
      .slice(0, at)
      .map(({ field }) => field)
      .toSorted((left, right) => (left.text < right.text ? -1 : 1)),
    orderBy: orders.slice(at).map(({ field, isDescending }) => ({
      field,
      isDescending: isDescending !== isReverse,
    })),
  }));
}
