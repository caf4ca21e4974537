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

it.each<[boolean, string, { where?: unknown; orderBy?: unknown[] }, boolean]>([
  [true, 'equalities and an order', { where: eq('owner'), orderBy: bySeq('DESCENDING') }, true],
  [true, 'the reverse of it', { where: eq('owner'), orderBy: bySeq() }, true],
  [true, 'equalities', { where: all(eq('a'), eq('b'), eq('seq')) }, false],
  [true, 'equalities in another order', { where: all(eq('a'), eq('b')), orderBy: bySeq() }, false],
  [true, 'a single field', { where: eq('owner') }, true],
  [false, 'another scope', { where: eq('owner'), orderBy: bySeq() }, false],
  [false, 'one field more', { where: all(eq('owner'), eq('z')), orderBy: bySeq() }, true],
  [false, 'one field less', { where: eq('b'), orderBy: bySeq() }, false],
  [false, 'an automatic index', { where: eq('a') }, false],
])('that an index is declared is %s for %s', (expected, _name, asked, allDescendants) => {
  const from = [{ collectionId: 'dogs', allDescendants }];
  expect(isDeclared(indexShape(decodeQuery({ from, ...asked }, '')))).toBe(expected);
});
