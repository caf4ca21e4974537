import { expect, it } from 'vitest';
import { all, int, orderBy, where } from '../../tests/support/firestore-json.ts';
import { decodeQuery } from '../firestore/query/query-codec.ts';
import { indexShape } from '../firestore/query/index-range.ts';
import { createIsDeclared } from './declared-shapes.ts';
import { parseIndexes } from './index-file.ts';

const ascending = (fieldPath: string) => ({ fieldPath, order: 'ASCENDING' });
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
  ],
  fieldOverrides: [
    {
      collectionGroup: 'dogs',
      fieldPath: 'owner',
      indexes: [{ queryScope: 'COLLECTION_GROUP', order: 'ASCENDING' }],
    },
  ],
};
const isDeclared = createIsDeclared(parseIndexes(JSON.stringify(file), 'file'));
const eq = (field: string) => where(field, 'EQUAL', int(1));
const bySeq = (direction?: string) => [orderBy('seq', direction)];

const group = { from: [{ collectionId: 'dogs', allDescendants: true }] };

it.each<[boolean, string, object]>([
  [true, 'equalities and an order', { ...group, where: eq('owner'), orderBy: bySeq('DESCENDING') }],
  [true, 'the reverse of it', { ...group, where: eq('owner'), orderBy: bySeq() }],
  [true, 'equalities', { where: all(eq('a'), eq('b'), eq('seq')) }],
  [true, 'equalities in another order', { where: all(eq('a'), eq('b')), orderBy: bySeq() }],
  [true, 'a single field', { ...group, where: eq('owner') }],
  [false, 'another scope', { where: eq('owner'), orderBy: bySeq() }],
  [false, 'one field more', { ...group, where: all(eq('owner'), eq('z')), orderBy: bySeq() }],
  [false, 'one field less', { where: eq('b'), orderBy: bySeq() }],
  [false, 'an automatic index', { where: eq('a') }],
])('that an index is declared is %s for %s', (expected, _name, asked) => {
  const from = [{ collectionId: 'dogs' }];
  expect(isDeclared(indexShape(decodeQuery({ from, ...asked }, '')))).toBe(expected);
});
