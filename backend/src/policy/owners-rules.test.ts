import { describe, expect, it } from 'vitest';
import {
  all,
  any,
  deleteWrite,
  int,
  query,
  setWrite,
  str,
  where,
  writes,
} from '../../tests/support/firestore-json.ts';
import { aliceCaller, bobCaller, openTestDatabase } from '../../tests/support/test-database.ts';
import { admin, type Caller } from '../caller.ts';
import { ownersRules } from '../../tests/support/rules-fixture.ts';
import { readFileSync } from 'node:fs';
import { compileRules } from '../rules/compile/compile-rules.ts';
import { createFirestoreRules } from './firestore-rules.ts';

const ruleset = compileRules(readFileSync(ownersRules, 'utf8'), {
  file: 'owners.rules',
  service: 'cloud.firestore',
});
const policy = createFirestoreRules(ruleset);

const owner = (uid: string, more = {}) => ({ ownerId: str(uid), ...more });
const writer = (uid: string, more = {}) => ({ createdBy: str(uid), ...more });

const storedDocuments = [
  setWrite('pets/rex', owner('alice', { seq: int(3) })),
  setWrite('pets/old', owner('alice')),
  setWrite('pets/bello', owner('bob')),
  setWrite('pets/rex/journalEntries/1', writer('alice', { seq: int(4) })),
  setWrite('pets/bello/journalEntries/1', writer('bob')),
  setWrite('pets/odd', { ownerId: { arrayValue: { values: [str('alice')] } } }),
  setWrite('sync/alice', { head: int(5) }),
  setWrite('pets/gone', owner('alice', { seq: int(2), deleted: { booleanValue: true } })),
  setWrite('organizations/vet', { tradingName: str('Vet') }),
  setWrite('users/alice', {}),
];

async function world() {
  const { database } = await openTestDatabase({ policy });
  await database.commit(admin, writes(...storedDocuments));
  return database;
}

const mayCommit = async (caller: Caller, ...json: unknown[]) => {
  const database = await world();
  return database.commit(caller, writes(...json)).then(
    () => true,
    (error: { status?: string }) => error.status !== 'PERMISSION_DENIED',
  );
};

describe('get', () => {
  it.each([
    ['pets/rex', true],
    ['pets/none', true],
    ['pets/bello', false],
    ['pets/odd', false],
    ['pets/rex/journalEntries/1', true],
    ['pets/rex/journalEntries/none', true],
    ['pets/bello/journalEntries/1', false],
    ['pets/rex/other/1', false],
    ['pets/rex/journalEntries/1/deeper/1', false],
    ['sync/alice', true],
    ['sync/bob', false],
    ['sync/alice/more/1', false],
    ['organizations/vet', true],
    ['organizations/vet/more/1', false],
    ['users/alice', false],
    ['users/none', false],
    ['anything/else', false],
  ])('%s by alice: %s', async (path, isAllowed) => {
    const database = await world();
    expect(database.mayGet(aliceCaller, path)).toBe(isAllowed);
    expect(database.mayGet(null, path)).toBe(false);
  });
});

describe('list', () => {
  const equals = (field: string, uid: string) => where(field, 'EQUAL', str(uid));
  const group = { from: [{ collectionId: 'journalEntries', allDescendants: true }] };
  it.each([
    ['own pets', query('pets', { where: equals('ownerId', 'alice') }), true],
    [
      'own pets after n',
      query('pets', {
        where: all(equals('ownerId', 'alice'), where('seq', 'GREATER_THAN', int(1))),
      }),
      true,
    ],
    ['all pets', query('pets'), false],
    ['pets of bob', query('pets', { where: equals('ownerId', 'bob') }), false],
    [
      'pets of alice or anyone',
      query('pets', { where: any(equals('ownerId', 'alice'), where('seq', 'EQUAL', int(1))) }),
      false,
    ],
    [
      'pets by an inequality',
      query('pets', { where: where('ownerId', 'GREATER_THAN_OR_EQUAL', str('alice')) }),
      false,
    ],
    [
      'pets of alice and bob',
      query('pets', {
        where: where('ownerId', 'IN', { arrayValue: { values: [str('alice'), str('bob')] } }),
      }),
      false,
    ],
    [
      'pets anywhere',
      query('pets', {
        from: [{ collectionId: 'pets', allDescendants: true }],
        where: equals('ownerId', 'alice'),
      }),
      false,
    ],
    [
      'own entries anywhere',
      query('journalEntries', { ...group, where: equals('createdBy', 'alice') }),
      true,
    ],
    ['all entries', query('journalEntries', group), false],
    [
      'entries of bob',
      query('journalEntries', { ...group, where: equals('createdBy', 'bob') }),
      false,
    ],
    [
      'own entries of a pet',
      { ...query('journalEntries', { where: equals('createdBy', 'alice') }), parent: 'pets/rex' },
      true,
    ],
    ['entries of a pet', { ...query('journalEntries'), parent: 'pets/rex' }, false],
    [
      'own entries elsewhere, which the group allows',
      {
        ...query('journalEntries', { where: equals('createdBy', 'alice') }),
        parent: 'users/alice',
      },
      true,
    ],
    ['organizations', query('organizations'), true],
    ['users', query('users'), false],
    ['sync', query('sync'), false],
  ])('%s: %s', async (_name, asked, isAllowed) => {
    const database = await world();
    expect(database.mayList(aliceCaller, asked)).toBe(isAllowed);
    expect(database.mayList(null, asked)).toBe(false);
  });
});

describe('write', () => {
  it.each([
    ['create an own pet', true, [setWrite('pets/new', owner('alice'))]],
    ['create a pet of bob', false, [setWrite('pets/new', owner('bob'))]],
    ['create a pet of nobody', false, [setWrite('pets/new', {})]],
    [
      'create a pet with a list of owners',
      false,
      [setWrite('pets/new', { ownerId: { arrayValue: { values: [str('alice')] } } })],
    ],
    ['update an own pet', true, [setWrite('pets/old', owner('alice', { name: str('R') }))]],
    ['give a pet away', false, [setWrite('pets/old', owner('bob'))]],
    ['take a pet', false, [setWrite('pets/bello', owner('alice'))]],
    ['take a pet without an owner that counts', false, [setWrite('pets/odd', owner('alice'))]],
    ['delete a pet', false, [deleteWrite('pets/rex')]],
    ['create an own entry', true, [setWrite('pets/rex/journalEntries/2', writer('alice'))]],
    ['create an entry as bob', false, [setWrite('pets/rex/journalEntries/2', writer('bob'))]],
    [
      "create an entry under bob's pet",
      false,
      [setWrite('pets/bello/journalEntries/2', writer('alice'))],
    ],
    [
      'create an entry under no pet',
      false,
      [setWrite('pets/none/journalEntries/2', writer('alice'))],
    ],
    [
      'create a pet and its entry together',
      true,
      [
        setWrite('pets/new/journalEntries/1', writer('alice')),
        setWrite('pets/new', owner('alice')),
      ],
    ],
    [
      'rewrite who wrote an entry',
      false,
      [setWrite('pets/rex/journalEntries/1', writer('bob', { seq: int(4) }))],
    ],
    ['delete an entry', false, [deleteWrite('pets/rex/journalEntries/1')]],
    ['own sync', true, [setWrite('sync/alice', { head: int(6), epoch: str('e') })]],
    ['own sync without a head', false, [setWrite('sync/alice', { epoch: str('e') })]],
    ['own sync without an epoch', false, [setWrite('sync/alice', { head: int(6) })]],
    [
      'own sync with a lower head',
      false,
      [setWrite('sync/alice', { head: int(4), epoch: str('e') })],
    ],
    [
      'a tombstone back to life',
      false,
      [
        setWrite('pets/gone', owner('alice', { seq: int(6), deleted: { booleanValue: false } })),
        setWrite('sync/alice', { head: int(6), epoch: str('e') }),
      ],
    ],
    ['foreign sync', false, [setWrite('sync/bob', { head: int(6) })]],
    ['delete own sync', false, [deleteWrite('sync/alice')]],
    ['an organization', false, [setWrite('organizations/vet', {})]],
    ['a user', false, [setWrite('users/alice', {})]],
    ['anything else', false, [setWrite('anything/else', {})]],
    ['nothing', true, []],
  ] as const)('%s: %s', async (_name, isAllowed, json) => {
    expect(await mayCommit(aliceCaller, ...json)).toBe(isAllowed);
    expect(json.length === 0 || !(await mayCommit(null, ...json))).toBe(true);
  });

  it('bob may do with his what alice may not', async () => {
    expect(await mayCommit(bobCaller, setWrite('pets/bello', owner('bob', { n: int(1) })))).toBe(
      true,
    );
    expect(
      await mayCommit(bobCaller, setWrite('sync/bob', { head: int(0), epoch: str('e') })),
    ).toBe(true);
  });
});

describe('the sequence number', () => {
  const head = (value: number) => setWrite('sync/alice', { head: int(value), epoch: str('e') });
  const rex = (seq?: unknown) =>
    setWrite('pets/rex', owner('alice', seq === undefined ? {} : { seq }));
  it.each([
    ['next, with the head', true, [rex(int(6)), head(6)]],
    [
      'two of one commit',
      true,
      [rex(int(6)), setWrite('pets/old', owner('alice', { seq: int(7) })), head(7)],
    ],
    [
      'of an entry',
      true,
      [setWrite('pets/rex/journalEntries/1', writer('alice', { seq: int(6) })), head(6)],
    ],
    ['unchanged', false, [rex(int(3))]],
    ['unchanged, with a new head', false, [rex(int(3)), head(6)]],
    ['none where none was', true, [setWrite('pets/old', owner('alice'))]],
    ['at the old head', false, [rex(int(5)), head(6)]],
    ['beyond the new head', false, [rex(int(7)), head(6)]],
    ['without moving the head', false, [rex(int(6))]],
    ['a fraction', false, [rex({ doubleValue: 5.5 }), head(6)]],
    ['a text', false, [rex(str('6')), head(6)]],
    ['removed', false, [rex(), head(6)]],
    [
      'an entry beyond the head',
      false,
      [setWrite('pets/rex/journalEntries/9', writer('alice', { seq: int(9) })), head(6)],
    ],
  ] as const)('%s: %s', async (_name, isAllowed, json) => {
    expect(await mayCommit(aliceCaller, ...json)).toBe(isAllowed);
  });

  it('starts at 1 where there is no head yet', async () => {
    const first = (seq: number) => [
      setWrite('pets/bello', owner('bob', { seq: int(seq) })),
      setWrite('sync/bob', { head: int(1), epoch: str('e') }),
    ];
    expect(await mayCommit(bobCaller, ...first(1))).toBe(true);
    expect(await mayCommit(bobCaller, ...first(0))).toBe(false);
  });
});
