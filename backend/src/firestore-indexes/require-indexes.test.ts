import { describe, expect, it } from 'vitest';
import {
  all,
  any,
  int,
  list,
  nul,
  orderBy,
  ref,
  unary,
  where,
} from '../../tests/support/firestore-json.ts';
import { databaseNames } from '../../tests/support/test-database.ts';
import { FirestoreError } from '../firestore/firestore-error.ts';
import { decodeQuery } from '../firestore/query/query-codec.ts';
import { parseIndexes } from './index-file.ts';
import { createRequireIndexes } from './require-indexes.ts';

interface Asked {
  readonly where?: unknown;
  readonly orderBy?: unknown[];
  /** Whether the query covers all collections of this id. */
  readonly group?: boolean;
}

const none = { indexes: [], fieldOverrides: [] };

/** Returns the message of the refusal, or 'answered' if there is none. */
function answer({ group = false, ...asked }: Asked, file: unknown = none): string {
  const from = [{ collectionId: 'dogs', allDescendants: group }];
  const query = decodeQuery({ from, ...asked }, '', databaseNames);
  try {
    const requireIndexes = createRequireIndexes(parseIndexes(JSON.stringify(file), 'file'));
    requireIndexes(query);
    return 'answered';
  } catch (error) {
    if (error instanceof FirestoreError && error.status === 'FAILED_PRECONDITION') {
      return error.message;
    }
    throw error;
  }
}

const eq = (field: string) => where(field, 'EQUAL', int(1));
const gt = (field: string) => where(field, 'GREATER_THAN', int(1));
const has = (field: string) => where(field, 'ARRAY_CONTAINS', int(1));
const isIn = (field: string) => where(field, 'IN', list(int(1), int(2)));
const down = (field: string) => orderBy(field, 'DESCENDING');
const keyIs = where('__name__', 'EQUAL', ref('dogs/rex'));

/** `a`, `-a` (descending), `a[]` (contains). */
function indexField(text: string) {
  if (text.endsWith('[]')) return { fieldPath: text.slice(0, -2), arrayConfig: 'CONTAINS' };
  return text.startsWith('-')
    ? { fieldPath: text.slice(1), order: 'DESCENDING' }
    : { fieldPath: text, order: 'ASCENDING' };
}

function composite(...indexes: string[]) {
  return {
    indexes: indexes.map((each) => {
      const [, group, fields = ''] = /^(group )?(.*)$/.exec(each) ?? [];
      const queryScope = group === undefined ? 'COLLECTION' : 'COLLECTION_GROUP';
      return { collectionGroup: 'dogs', queryScope, fields: fields.split(' ').map(indexField) };
    }),
  };
}

const override = (path: string, indexes: readonly unknown[]) => ({
  fieldOverrides: [{ collectionGroup: 'dogs', fieldPath: path, indexes }],
});

describe('what needs no declared index', () => {
  it.each<[string, Asked]>([
    ['everything', {}],
    ['every document of a group', { group: true }],
    ['one order', { orderBy: [orderBy('a')] }],
    ['one order, descending', { orderBy: [down('a')] }],
    ['an inequality', { where: gt('a') }],
    ['a range in its own order', { where: all(gt('a'), gt('a')), orderBy: [down('a')] }],
    ['not equal', { where: where('a', 'NOT_EQUAL', int(1)) }],
    ['not in', { where: where('a', 'NOT_IN', list(int(1))) }],
    ['is not null', { where: unary('a', 'IS_NOT_NULL') }],
    ['an equality', { where: eq('a') }],
    ['is null', { where: where('a', 'EQUAL', nul) }],
    ['is NaN and an equality', { where: all(unary('a', 'IS_NAN'), eq('b')) }],
    ['equalities', { where: all(eq('a'), eq('b'), eq('c.d')) }],
    [
      'equalities with an order of one of them',
      { where: all(eq('a'), eq('b')), orderBy: [down('a')] },
    ],
    ['an array with equalities', { where: all(has('a'), eq('b')) }],
    ['array-contains-any', { where: where('a', 'ARRAY_CONTAINS_ANY', list(int(1), int(2))) }],
    ['in', { where: isIn('a') }],
    ['in with an equality', { where: all(isIn('a'), eq('b')) }],
    ['in, ordered by itself', { where: isIn('a'), orderBy: [orderBy('a')] }],
    ['or of equalities', { where: any(eq('a'), all(eq('b'), has('c'))) }],
    ['one document', { where: keyIs }],
    ['documents by name in a group', { where: keyIs, group: true }],
    ['names', { where: where('__name__', 'IN', list(ref('dogs/a'), ref('dogs/b'))) }],
    ['names after another', { where: where('__name__', 'GREATER_THAN', ref('dogs/a')) }],
    [
      'an equality and names after another',
      { where: all(eq('a'), where('__name__', 'GREATER_THAN', ref('dogs/a'))) },
    ],
  ])('%s', (_, asked) => {
    expect(answer(asked)).toBe('answered');
  });
});

describe('what needs one, and is answered with it', () => {
  it.each<[string, Asked, string]>([
    ['an equality and an order', { where: eq('a'), orderBy: [orderBy('b')] }, 'a b'],
    ['an equality and an order, descending', { where: eq('a'), orderBy: [down('b')] }, 'a -b'],
    ['an equality and an inequality', { where: all(eq('a'), gt('b')) }, 'a b'],
    ['two equalities and an inequality', { where: all(eq('b'), eq('a'), gt('c')) }, 'b a c'],
    ['two orders', { orderBy: [orderBy('a'), down('b')] }, 'a -b'],
    ['two inequalities', { where: all(gt('b'), gt('a')) }, 'a b'],
    ['an array and an order', { where: has('a'), orderBy: [orderBy('b')] }, 'a[] b'],
    [
      'an equality and the key downwards, with an array',
      { where: has('a'), orderBy: [down('__name__')] },
      'a[] -__name__',
    ],
    [
      'an order and the key against it',
      { orderBy: [orderBy('a'), down('__name__')] },
      'a -__name__',
    ],
    ['in and an order', { where: isIn('a'), orderBy: [orderBy('b')] }, 'a b'],
    [
      'in, ordered by itself, with an equality',
      { where: all(isIn('a'), eq('b')), orderBy: [orderBy('a')] },
      'b a',
    ],
    ['equalities over a group', { where: all(eq('a'), eq('b')), group: true }, 'group a b'],
    [
      'an equality and an inequality over a group',
      { where: all(eq('a'), gt('b')), group: true },
      'group a b',
    ],
    ['not null with an equality', { where: all(eq('a'), unary('b', 'IS_NOT_NULL')) }, 'a b'],
  ])('%s', (_, asked, index) => {
    const file = composite(index);
    const wanted = JSON.stringify(file.indexes[0]);
    expect(answer(asked)).toBe(
      `The query requires an index. Add it to "indexes" of firestore.indexes.json: ${wanted}`,
    );
    expect(answer(asked, file)).toBe('answered');
  });

  it('a field of a group, by an override that also names the automatic ones', () => {
    const asked = { where: eq('a'), group: true };
    const indexes = [
      { order: 'ASCENDING', queryScope: 'COLLECTION' },
      { order: 'DESCENDING', queryScope: 'COLLECTION' },
      { arrayConfig: 'CONTAINS', queryScope: 'COLLECTION' },
      { order: 'ASCENDING', queryScope: 'COLLECTION_GROUP' },
    ];
    const file = override('a', indexes);
    expect(answer(asked)).toBe(
      'The query requires a COLLECTION_GROUP_ASC index for collection dogs and field a. ' +
        `Add it to "fieldOverrides" of firestore.indexes.json: ${JSON.stringify(file.fieldOverrides[0])}`,
    );
    expect(answer(asked, file)).toBe('answered');
    expect(answer({ where: eq('a') }, file)).toBe('answered');
  });

  it.each<[string, Asked, RegExp]>([
    ['downwards', { orderBy: [down('a')], group: true }, /a COLLECTION_GROUP_DESC index/],
    ['arrays', { where: has('a'), group: true }, /a COLLECTION_GROUP_CONTAINS index/],
    [
      'names downwards',
      { orderBy: [down('__name__')] },
      /a COLLECTION_DESC index .* field __name__/,
    ],
  ])('each mode has its name: %s', (_, asked, sentence) => {
    expect(answer(asked)).toMatch(sentence);
  });

  it('names downwards, by an override of the key', () => {
    const file = override('__name__', [{ order: 'DESCENDING', queryScope: 'COLLECTION' }]);
    expect(answer({ orderBy: [down('__name__')] }, file)).toBe('answered');
    expect(answer({}, file)).toBe('answered');
  });
});

describe('an index does not serve', () => {
  it.each<[string, Asked, string]>([
    ['another direction', { where: eq('a'), orderBy: [down('b')] }, 'a b'],
    ['both directions turned round', { orderBy: [orderBy('a'), orderBy('b')] }, '-a -b'],
    ['another order of the orders', { orderBy: [orderBy('a'), orderBy('b')] }, 'b a'],
    ['an order before the equality', { where: eq('a'), orderBy: [orderBy('b')] }, 'b a'],
    ['a query without one of its fields', { where: eq('a'), orderBy: [orderBy('b')] }, 'a c b'],
    ['an equality by elements', { where: eq('a'), orderBy: [orderBy('b')] }, 'a[] b'],
    ['elements by an equality', { where: has('a'), orderBy: [orderBy('b')] }, 'a b'],
    ['a group, if it is of collections', { where: all(eq('a'), gt('b')), group: true }, 'a b'],
    ['collections, if it is of a group', { where: all(eq('a'), gt('b')) }, 'group a b'],
    ['the whole group by one field', { where: eq('a'), group: true }, 'group a b'],
    ['another end', { orderBy: [orderBy('a'), orderBy('b')] }, 'a b -__name__'],
    ['only one side of an or', { where: any(all(eq('a'), gt('b')), all(eq('c'), gt('b'))) }, 'a b'],
  ])('%s', (_, asked, index) => {
    expect(answer(asked, composite(index))).toMatch(/^The query requires/);
  });

  it('of another collection', () => {
    const [index] = composite('a b').indexes;
    const file = { indexes: [{ ...index, collectionGroup: 'cats' }] };
    expect(answer({ where: all(eq('a'), gt('b')) }, file)).toMatch(/^The query requires/);
  });
});

describe('indexes are merged', () => {
  const asked = { where: all(eq('a'), eq('b'), eq('c')), orderBy: [orderBy('d')] };

  it.each([
    ['with one end', ['a d', 'b d', 'c d'], 'answered'],
    ['that overlap', ['a b d', 'b c d'], 'answered'],
    ['in any order of the equalities', ['b a d', '-c d'], 'answered'],
    ['but not when one condition is in none', ['a d', 'b d'], 'refused'],
    ['but not with the automatic ones, which end otherwise', ['a b d'], 'refused'],
    ['but not with one of another direction', ['a b d', 'c -d'], 'refused'],
  ])('%s', (_, indexes, expected) => {
    const found = answer(asked, composite(...indexes));
    expect(found === 'answered' ? found : 'refused').toBe(expected);
  });

  it('with the sides of an or each on its own', () => {
    const either = { where: any(all(eq('a'), gt('b')), all(eq('c'), gt('b'))) };
    expect(answer(either, composite('a b', 'c b'))).toBe('answered');
  });
});

describe('an override', () => {
  it('takes the automatic indexes away, also those of the fields of a map', () => {
    const file = override('a', []);
    for (const path of ['a', 'a.b.c']) {
      expect(answer({ where: eq(path) }, file)).toMatch(
        /^The query requires a COLLECTION_ASC index/,
      );
    }
    expect(answer({ where: eq('ab') }, file)).toBe('answered');
  });

  it('is overridden further down', () => {
    const index = { order: 'ASCENDING', queryScope: 'COLLECTION' };
    const { fieldOverrides } = override('a', []);
    const file = {
      fieldOverrides: [...fieldOverrides, ...override('a.b', [index]).fieldOverrides],
    };
    expect(answer({ where: eq('a.b') }, file)).toBe('answered');
    expect(answer({ where: eq('a.c') }, file)).toMatch(/^The query requires/);
    expect(answer({ orderBy: [down('a.b')] }, file)).toMatch(
      /^The query requires a COLLECTION_DESC/,
    );
  });
});
