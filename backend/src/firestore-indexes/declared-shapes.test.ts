import { expect, it } from 'vitest';
import { all, int, orderBy, where } from '../../tests/support/firestore-json.ts';
import { databaseNames } from '../../tests/support/test-database.ts';
import { indexShape, shapeId } from '../firestore/query/index-range.ts';
import { decodeQuery } from '../firestore/query/query-codec.ts';
import { declaredShapes } from './declared-shapes.ts';
import { parseIndexes } from './index-file.ts';

const ascending = (fieldPath: string) => ({ fieldPath, order: 'ASCENDING' });
const tags = { fieldPath: 'tags', arrayConfig: 'CONTAINS' };
const file = {
  indexes: [
    {
      collectionGroup: 'dogs',
      queryScope: 'COLLECTION_GROUP',
      fields: [ascending('owner'), { fieldPath: 'seq', order: 'DESCENDING' }],
    },
    {
      collectionGroup: 'dogs',
      queryScope: 'COLLECTION',
      fields: [ascending('b'), ascending('a'), ascending('seq')],
    },
    { collectionGroup: 'dogs', queryScope: 'COLLECTION', fields: [tags, ascending('age')] },
  ],
  fieldOverrides: [
    {
      collectionGroup: 'dogs',
      fieldPath: 'vet',
      indexes: [
        { queryScope: 'COLLECTION', order: 'ASCENDING' },
        { queryScope: 'COLLECTION_GROUP', order: 'DESCENDING' },
        { queryScope: 'COLLECTION_GROUP', arrayConfig: 'CONTAINS' },
      ],
    },
  ],
};
const shapes = declaredShapes(parseIndexes(JSON.stringify(file), 'file'));
const eq = (field: string) => where(field, 'EQUAL', int(1));
const bySeq = (direction?: string) => [orderBy('seq', direction)];
const shapeOf = (asked: object) =>
  indexShape(decodeQuery({ from: [{ collectionId: 'dogs' }], ...asked }, '', databaseNames));
const group = { from: [{ collectionId: 'dogs', allDescendants: true }] };

const served = [
  ['equalities and an order', { ...group, where: eq('owner'), orderBy: bySeq('DESCENDING') }],
  ['equalities in another order', { where: all(eq('a'), eq('b')), orderBy: bySeq() }],
  ['the first field of a composite index', { ...group, where: eq('owner') }],
  ['the first field of another one', { where: eq('b') }],
  ['a field that is declared for the group', { ...group, where: eq('vet') }],
] as const;

it.each(served)('there is an index for %s', (_name, asked) => {
  expect(shapes).toContainEqual(shapeOf(asked));
});

it('the reverse of an order is served by the same index', () => {
  const reverse = { ...group, where: eq('owner'), orderBy: bySeq() };
  expect(shapes).toContainEqual(shapeOf(reverse));
});

it('there are no others', () => {
  const ids = served.map(([, asked]) => shapeId(shapeOf(asked)));
  expect(new Set(shapes.map(shapeId))).toEqual(new Set(ids));
});
