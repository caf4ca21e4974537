import { describe, expect, it } from 'vitest';
import {
  all,
  any,
  bool,
  dbl,
  int,
  list,
  map,
  nul,
  ref,
  str,
  structuredQuery,
  time,
  unary,
  where,
} from '../../tests/support/firestore-json.ts';
import { aliceCaller, databaseNames, openTestDatabase } from '../../tests/support/test-database.ts';
import { compile, firestoreRules } from '../../tests/support/rules-kit.ts';
import { decodeQuery } from '../firestore/query/query-codec.ts';
import { createFirestoreRules } from './firestore-rules.ts';

const eq = (field: string, value: unknown) => where(field, 'EQUAL', value);
const oneOf = (field: string, ...values: unknown[]) => where(field, 'IN', list(...values));

const somePatterns = ['/pets/{id}', '/pets/{pet}/entries/{id}', '/{path=**}/notes/{id}'];

async function mayList(
  condition: string,
  more: Record<string, unknown> = {},
  patterns: readonly string[] = somePatterns,
) {
  const matches = patterns.map((each) => `match ${each} { allow list: if ${condition}; }`);
  const ruleset = compile(
    firestoreRules(`match /databases/{database}/documents { ${matches.join('\n')} }`),
  );
  const { database } = await openTestDatabase({ policy: createFirestoreRules(ruleset) });
  const { parent = '', collection = 'pets', ...rest } = more;
  return database.mayList(
    aliceCaller,
    decodeQuery(structuredQuery(String(collection), rest), String(parent), databaseNames),
  );
}

const data = 'resource.data';
const own = `${data}.owner == request.auth.uid`;

describe('a list is allowed when its query alone makes the condition true', () => {
  it.each([
    ['no filter', own, undefined, false],
    ['its own owner', own, eq('owner', str('alice')), true],
    ['another owner', own, eq('owner', str('bob')), false],
    ['an owner of another type', own, eq('owner', list(str('alice'))), false],
    ['an inequality', own, where('owner', 'GREATER_THAN_OR_EQUAL', str('alice')), false],
    ['not another', `${data}.owner != 'bob'`, where('owner', 'NOT_EQUAL', str('bob')), false],
    ['both of several', own, all(eq('owner', str('alice')), eq('seq', int(1))), true],
    ['in one', own, oneOf('owner', str('alice')), false],
    ['in several', own, oneOf('owner', str('alice'), str('bob')), false],
    [
      'in several that fit',
      `${data}.owner in ['a', 'b', 'c']`,
      oneOf('owner', str('a'), str('b')),
      false,
    ],
    ['either', own, any(eq('owner', str('alice')), eq('owner', str('bob'))), false],
    ['either, both fit', own, any(eq('owner', str('alice')), eq('owner', str('alice'))), false],
    ['either, one says nothing', own, any(eq('owner', str('alice')), eq('seq', int(1))), false],
    [
      'either, inside both',
      own,
      all(eq('owner', str('alice')), any(eq('seq', int(1)), eq('seq', int(2)))),
      true,
    ],
    [
      'a condition of two fields in alternatives',
      `(${data}.a == 1 && ${data}.b == 2) || (${data}.a == 3 && ${data}.b == 4)`,
      any(all(eq('a', int(1)), eq('b', int(2))), all(eq('a', int(3)), eq('b', int(4)))),
      false,
    ],
    [
      'a condition of two fields mixed up',
      `(${data}.a == 1 && ${data}.b == 2) || (${data}.a == 3 && ${data}.b == 4)`,
      all(oneOf('a', int(1), int(3)), oneOf('b', int(2), int(4))),
      false,
    ],
    ['contradictory values', own, all(eq('owner', str('alice')), eq('owner', str('bob'))), false],
    ['unknown or true', `${data}.seq > 1 || ${own}`, eq('owner', str('alice')), true],
    [
      'unknown and false, denied by not',
      `!(${data}.seq > 1 && ${own})`,
      eq('owner', str('bob')),
      true,
    ],
    ['unknown and true', `${data}.seq > 1 && ${own}`, eq('owner', str('alice')), false],
    ['not unknown', `!(${data}.seq == 1)`, eq('owner', str('alice')), false],
    ['unknown chooses', `${data}.seq == 1 ? true : true`, eq('owner', str('alice')), false],
    ['null', `${data}.gone == null`, unary('gone', 'IS_NULL'), true],
    ['NaN', `${data}.n != ${data}.n`, unary('n', 'IS_NAN'), false],
    ['not null', `${data}.gone == null`, unary('gone', 'IS_NOT_NULL'), false],
    ['a boolean', `!${data}.gone`, eq('gone', bool(false)), true],
    ['a time', `${data}.at.toMillis() == 0`, eq('at', time('1970-01-01T00:00:00Z')), true],
    ['a key that is pinned', `'owner' in ${data}`, eq('owner', str('x')), true],
    ['a key that is not', `!('secret' in ${data})`, eq('owner', str('x')), false],
    ['get of a key that is pinned', `${data}.get('owner', '') == 'x'`, eq('owner', str('x')), true],
    ['get of a key that is not', `${data}.get('owner', 'x') == 'x'`, undefined, false],
    ['all keys', `${data}.keys().hasAll(['owner'])`, eq('owner', str('x')), false],
    ['the number of keys', `${data}.size() > 0`, eq('owner', str('x')), false],
    ['the whole data', `${data} != {}`, eq('owner', str('x')), false],
    [
      'the types of the data',
      `${data} is map && ${data}.owner is string`,
      eq('owner', str('x')),
      true,
    ],
    ['a nested field', `${data}.a.b == 'x'`, eq('a.b', str('x')), false],
    ['beside a nested field', `${data}.a.c == 'x'`, eq('a.b', str('x')), false],
    ['a nested field of a pinned map', `${data}.a.b == 'x'`, eq('a', map({ b: str('x') })), true],
    ['a number', `${data}.n == 1`, eq('n', int(1)), false],
    ['the type of a number', `${data}.n is int`, eq('n', int(1)), false],
    ['the kind of a number', `${data}.n is number`, eq('n', dbl(1)), false],
    ['the type of a fraction', `${data}.n is float`, eq('n', dbl(1.5)), false],
    ['a division of a number', `${data}.n / 2 == 1`, eq('n', int(3)), false],
    ['a list with numbers', `${data}.l == [1]`, eq('l', list(int(1))), false],
    ['a list with texts', `${data}.l == ['a']`, eq('l', list(str('a'))), true],
    ['what a list contains', `'a' in ${data}.l`, where('l', 'ARRAY_CONTAINS', str('a')), false],
    [
      'what else a list contains',
      `'b' in ${data}.l`,
      where('l', 'ARRAY_CONTAINS', str('a')),
      false,
    ],
    [
      'what a list does not contain',
      `!('b' in ${data}.l)`,
      where('l', 'ARRAY_CONTAINS', str('a')),
      false,
    ],
    [
      'one of a list',
      `${data}.l.hasAny(['a', 'b'])`,
      where('l', 'ARRAY_CONTAINS', str('a')),
      false,
    ],
    [
      'all of a list',
      `${data}.l.hasAll(['a', 'b'])`,
      where('l', 'ARRAY_CONTAINS', str('a')),
      false,
    ],
    ['the size of a list', `${data}.l.size() > 0`, where('l', 'ARRAY_CONTAINS', str('a')), false],
    [
      'any of a list',
      `'a' in ${data}.l`,
      where('l', 'ARRAY_CONTAINS_ANY', list(str('a'), str('b'))),
      false,
    ],
    [
      'any of a list, all fit',
      `${data}.l.hasAny(['a', 'b'])`,
      where('l', 'ARRAY_CONTAINS_ANY', list(str('a'), str('b'))),
      false,
    ],
    ['that it is there', 'resource != null', undefined, true],
    ['its id', "id == 'rex'", undefined, false],
    ['its pinned id', "id == 'rex'", eq('__name__', ref('pets/rex')), false],
    ['its pinned ids', "id in ['a', 'b']", oneOf('__name__', ref('pets/a'), ref('pets/b')), false],
    ['one id too many', "id in ['a', 'b']", oneOf('__name__', ref('pets/a'), ref('pets/c')), false],
    ['its id in the resource', "resource.id == 'rex'", eq('__name__', ref('pets/rex')), false],
    ['a field called constructor', `${data}.constructor == 'x'`, eq('constructor', str('x')), true],
    ['the method', "request.method == 'list'", undefined, true],
    ['the path', 'request.path is path', undefined, false],
    ['a null pinned for another', `${data}.a == 'x'`, eq('a', nul), false],
  ])('%s', async (...[, condition, filter, isAllowed]) => {
    expect(await mayList(condition, filter === undefined ? {} : { where: filter })).toBe(isAllowed);
  });

  it.each([
    ['request.query.limit <= 10', { limit: 10 }, true],
    ['request.query.limit <= 10', { limit: 11 }, false],
    ['request.query.limit <= 10', {}, false],
    ['request.query.limit == null', {}, true],
    ['request.query.offset == 5', { offset: 5 }, true],
    [
      "request.query.orderBy[0] == 'name DESC'",
      { orderBy: [{ field: { fieldPath: 'name' }, direction: 'DESCENDING' }] },
      true,
    ],
  ])('%s of %j: %s', async (condition, more, isAllowed) => {
    expect(await mayList(condition, more)).toBe(isAllowed);
  });
});

describe('the collection of a list', () => {
  const entries = { collection: 'entries', where: eq('owner', str('alice')) };
  const notes = { collection: 'notes', where: eq('owner', str('alice')) };
  const group = (collectionId: string) => ({ from: [{ collectionId, allDescendants: true }] });
  it.each([
    ['under a document', { ...entries, parent: 'pets/rex' }, own, true],
    ['under another', { ...entries, parent: 'dogs/rex' }, own, false],
    ['as a group, without a recursive match', { ...entries, ...group('entries') }, own, false],
    ['as a group', { ...notes, ...group('notes') }, own, true],
    ['as a group under a document', { ...notes, ...group('notes'), parent: 'pets/rex' }, own, true],
    ['as a group, another owner', { ...notes, ...group('notes') }, `${data}.owner == 'bob'`, false],
    ['as a group of a collection without rules', { ...notes, ...group('pets') }, own, false],
    ['not as a group, by the recursive match', { ...notes, parent: 'any/where' }, own, true],
  ])('%s', async (...[, more, condition, isAllowed]) => {
    expect(await mayList(condition, more)).toBe(isAllowed);
  });

  it('binds the wildcards of its parent, and leaves its own and those of a group open', async () => {
    const pattern = ['/pets/{pet}/entries/{entry}'];
    const listed = { ...entries, parent: 'pets/rex' };
    expect(await mayList("pet == 'rex'", listed, pattern)).toBe(true);
    expect(await mayList("pet == 'bello'", listed, pattern)).toBe(false);
    expect(await mayList("entry == 'x' || entry != 'x'", listed, pattern)).toBe(false);
    const grouped = { ...notes, ...group('notes') };
    expect(await mayList('path == path', grouped, ['/{path=**}/notes/{note}'])).toBe(false);
    expect(await mayList('true', grouped, ['/{path=**}/notes/{note}'])).toBe(true);
    expect(await mayList('true', grouped, ['/pets/{pet}/notes/{note}'])).toBe(false);
    expect(await mayList('true', grouped, ['/{path=**}'])).toBe(true);
    expect(await mayList('true', grouped, ['/pets/{path=**}'])).toBe(false);
    expect(await mayList('true', { ...grouped, parent: 'pets/rex' }, ['/pets/{path=**}'])).toBe(
      true,
    );
  });
});
