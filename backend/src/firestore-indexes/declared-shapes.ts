import type { IndexShape } from '../firestore/query/index-range.ts';
import { parseFieldPath } from '../firestore/values/field-path.ts';
import { keyPath, modeOf, pathOf, type DeclaredIndexes, type IndexField } from './index-file.ts';

/**
 * Returns the indexes that the server makes of the declared ones; some are there twice.
 *
 * - A composite index serves equalities of its fields but the last, in the order of the last one. Its first field also
 *   serves an equality of that field alone, in the order of the names.
 * - So does a field whose override declares an index of the collection group.
 */
export function declaredShapes({
  indexes,
  fieldOverrides,
}: DeclaredIndexes): readonly IndexShape[] {
  const composite = indexes.flatMap(({ collectionGroup, queryScope, fields }) => {
    const ofCollection = toShape(collectionGroup, queryScope);
    const last = fields.length - 2;
    const whole = ofCollection(fields.slice(0, last), fields.slice(last));
    return [...whole, ...ofCollection(fields.slice(0, 1), [byName])];
  });
  const single = fieldOverrides.flatMap(({ collectionGroup, fieldPath, indexes: declared }) =>
    declared
      .filter(({ queryScope }) => queryScope === 'COLLECTION_GROUP')
      .flatMap(({ mode, queryScope }) =>
        toShape(collectionGroup, queryScope)([`${fieldPath} ${mode}`], [byName]),
      ),
  );
  return [...composite, ...single];
}

const byName: IndexField = `${keyPath} ASCENDING`;

/** Lists of elements have no index here. */
const hasOrder = (field: IndexField) => modeOf(field) !== 'CONTAINS';

const toShape =
  (collectionId: string, queryScope: 'COLLECTION' | 'COLLECTION_GROUP') =>
  (equal: readonly IndexField[], order: readonly IndexField[]): readonly IndexShape[] => {
    if (![...equal, ...order].every(hasOrder)) return [];
    const direction = modeOf(order[0] ?? byName);
    return [
      {
        collectionId,
        isGroup: queryScope === 'COLLECTION_GROUP',
        equalities: equal
          .map((field) => parseFieldPath(pathOf(field)))
          .toSorted((left, right) => (left.text < right.text ? -1 : 1)),
        orderBy: order.map((field) => ({
          field: parseFieldPath(pathOf(field)),
          isDescending: modeOf(field) !== direction,
        })),
      },
    ];
  };
