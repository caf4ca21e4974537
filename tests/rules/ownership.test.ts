import { serverTimestamp } from 'firebase/firestore/lite';
import { beforeEach, describe, expect, it } from 'vitest';
import { entryData, petData, useRulesWorld } from '../support/setups/rules-setup.ts';

const world = useRulesWorld();

const tombstone = (owner: string, uid: string) => ({ [owner]: uid, deleted: true });

let rounds = 0;
let pet = '';
let bobsPet = '';

/** Each of the two owners gets a pet with an entry. */
beforeEach(async () => {
  const { alice, bob, seed } = world();
  rounds += 1;
  [pet, bobsPet] = [`pets/a${rounds}`, `pets/b${rounds}`];
  for (const [path, { uid }] of [
    [pet, alice],
    [bobsPet, bob],
  ] as const) {
    const petId = path.slice('pets/'.length);
    const sync = { seq: 0, deleted: false, updatedAt: new Date(0) };
    await seed(path, { ...petData(uid, petId), ...sync });
    await seed(`${path}/journalEntries/e`, { ...entryData(uid, petId), ...sync });
  }
});

const newPet = (uid: string) => ({ ownerId: uid, name: 'Moss', edits: {} });
const newEntry = (uid: string) => ({
  createdBy: uid,
  createdDate: new Date(),
  type: 'note',
  text: 'Ducks',
  edits: {},
});

describe('pets', () => {
  it('can be created, changed and replaced by their owner', async () => {
    const { alice } = world();
    expect(await alice.push([{ path: `${pet}-new`, data: newPet(alice.uid) }])).toBe('allowed');
    expect(await alice.push([{ path: pet, data: { name: 'Moss' }, mask: ['name'] }])).toBe(
      'allowed',
    );
    expect(await alice.push([{ path: pet, data: newPet(alice.uid) }])).toBe('allowed');
  });

  it('can be created, changed, taken or given away by nobody else', async () => {
    const { alice, bob, nobody } = world();
    for (const other of [bob, nobody]) {
      const head = other === nobody ? null : undefined;
      expect(await other.push([{ path: pet, data: { name: 'X' }, mask: ['name'] }], head)).toBe(
        'denied',
      );
      expect(await other.push([{ path: pet, data: newPet(other.uid) }], head)).toBe('denied');
      expect(await other.push([{ path: `${pet}-n`, data: newPet(alice.uid) }], head)).toBe(
        'denied',
      );
      const dead = tombstone('ownerId', alice.uid);
      expect(await other.push([{ path: pet, data: dead }], head)).toBe('denied');
      expect(await other.push([{ path: pet, data: tombstone('ownerId', other.uid) }], head)).toBe(
        'denied',
      );
    }
    expect(await alice.push([{ path: pet, data: newPet(bob.uid) }])).toBe('denied');
    expect(await alice.push([{ path: pet, data: { ownerId: bob.uid }, mask: ['ownerId'] }])).toBe(
      'denied',
    );
    expect(await alice.push([{ path: `${pet}-new`, data: newPet(bob.uid) }])).toBe('denied');
    expect(await nobody.set(`${pet}-new`, newPet(nobody.uid))).toBe('denied');
  });

  it('have ids of up to 128 characters', async () => {
    const { alice } = world();
    const path = (length: number) => `pets/${`${rounds}`.padStart(length, 'p')}`;
    expect(await alice.push([{ path: path(128), data: newPet(alice.uid) }])).toBe('allowed');
    expect(await alice.push([{ path: path(129), data: newPet(alice.uid) }])).toBe('denied');
    expect(await alice.push([{ path: path(129), data: tombstone('ownerId', alice.uid) }])).toBe(
      'denied',
    );
  });
});

describe('entries', () => {
  it('can be created, changed and replaced by their owner under their own pet', async () => {
    const { alice } = world();
    const entry = `${pet}/journalEntries/e`;
    expect(await alice.push([{ path: `${entry}-new`, data: newEntry(alice.uid) }])).toBe('allowed');
    expect(await alice.push([{ path: entry, data: { text: 'Geese' }, mask: ['text'] }])).toBe(
      'allowed',
    );
    expect(await alice.push([{ path: entry, data: newEntry(alice.uid) }])).toBe('allowed');
  });

  it('can be committed together with their pet, in any order', async () => {
    const { alice } = world();
    const made = { path: `${pet}-new`, data: newPet(alice.uid) };
    const entry = { path: `${pet}-new/journalEntries/e`, data: newEntry(alice.uid) };
    expect(await alice.push([entry])).toBe('denied');
    expect(await alice.push([entry, made])).toBe('allowed');
  });

  it('can be created, changed, taken or given away by nobody else', async () => {
    const { alice, bob, nobody } = world();
    const entry = `${pet}/journalEntries/e`;
    for (const other of [bob, nobody]) {
      const head = other === nobody ? null : undefined;
      expect(await other.push([{ path: entry, data: { text: 'X' }, mask: ['text'] }], head)).toBe(
        'denied',
      );
      expect(await other.push([{ path: entry, data: newEntry(other.uid) }], head)).toBe('denied');
      expect(await other.push([{ path: `${entry}2`, data: newEntry(alice.uid) }], head)).toBe(
        'denied',
      );
      expect(
        await other.push([{ path: entry, data: tombstone('createdBy', other.uid) }], head),
      ).toBe('denied');
    }
    expect(await alice.push([{ path: entry, data: newEntry(bob.uid) }])).toBe('denied');
    expect(await alice.push([{ path: `${entry}2`, data: newEntry(bob.uid) }])).toBe('denied');
  });

  it('cannot be created under another owner’s pet, or under none', async () => {
    const { alice } = world();
    for (const path of [bobsPet, 'pets/none']) {
      const entry = `${path}/journalEntries/new`;
      expect(await alice.push([{ path: entry, data: newEntry(alice.uid) }])).toBe('denied');
      expect(await alice.push([{ path: entry, data: tombstone('createdBy', alice.uid) }])).toBe(
        'denied',
      );
    }
    const dead = { path: 'pets/none/journalEntries/new', data: tombstone('createdBy', alice.uid) };
    expect(await alice.push([dead])).toBe('denied');
    const moved = { path: 'other/x/journalEntries/new', data: newEntry(alice.uid) };
    expect(await alice.push([moved])).toBe('denied');
  });

  it('have ids of up to 128 characters', async () => {
    const { alice } = world();
    const path = (length: number) => `${pet}/journalEntries/${'e'.repeat(length)}`;
    expect(await alice.push([{ path: path(128), data: newEntry(alice.uid) }])).toBe('allowed');
    expect(await alice.push([{ path: path(129), data: newEntry(alice.uid) }])).toBe('denied');
  });
});

describe('deletions', () => {
  it('that remove a document are always denied', async () => {
    const { alice, bob, nobody, seed } = world();
    await seed('organizations/vet', {});
    await seed(`sync/${alice.uid}`, { head: world().headOf(alice.uid), epoch: 'e' });
    const paths = [pet, `${pet}/journalEntries/e`, `sync/${alice.uid}`, 'organizations/vet'];
    for (const path of [...paths, 'pets/none', 'anything/else']) {
      for (const person of [alice, bob, nobody]) {
        expect([path, await person.remove(path)]).toEqual([path, 'denied']);
      }
    }
  });

  it('leave a tombstone with ids, owner, seq, deleted and updatedAt only', async () => {
    const { alice } = world();
    for (const [path, owner] of [
      [`${pet}/journalEntries/e`, 'createdBy'],
      [pet, 'ownerId'],
    ] as const) {
      const dead = tombstone(owner, alice.uid);
      for (const extra of [{ name: 'X' }, { edits: {} }, { text: null }, { schemaVersion: 2 }]) {
        expect(await alice.push([{ path, data: { ...dead, ...extra } }])).toBe('denied');
      }
      const late = { ...dead, updatedAt: new Date(Date.now() + 1_000) };
      expect(await alice.push([{ path, data: late }])).toBe('denied');
      expect(await alice.push([{ path, data: { deleted: true }, mask: ['deleted'] }])).toBe(
        'denied',
      );
      expect(await alice.push([{ path, data: dead }])).toBe('allowed');
    }
  });

  it('are final: a tombstone can be written again, but never revived', async () => {
    const { alice } = world();
    const entry = `${pet}/journalEntries/e`;
    const dead = { path: entry, data: tombstone('createdBy', alice.uid) };
    expect(await alice.push([dead])).toBe('allowed');
    expect(await alice.push([{ path: entry, data: newEntry(alice.uid) }])).toBe('denied');
    expect(await alice.push([{ path: entry, data: newEntry(alice.uid), mask: ['text'] }])).toBe(
      'denied',
    );
    expect(await alice.push([dead])).toBe('allowed');

    const gone = { path: pet, data: tombstone('ownerId', alice.uid) };
    expect(await alice.push([gone])).toBe('allowed');
    expect(await alice.push([{ path: pet, data: newPet(alice.uid) }])).toBe('denied');
    expect(await alice.push([gone])).toBe('allowed');
  });

  it('of documents that the server never had are allowed together', async () => {
    const { alice } = world();
    const entry = `${pet}-new/journalEntries/e`;
    const both = [
      { path: entry, data: tombstone('createdBy', alice.uid) },
      { path: `${pet}-new`, data: tombstone('ownerId', alice.uid) },
    ];
    expect(await alice.push(both.slice(0, 1))).toBe('denied');
    expect(await alice.push(both)).toBe('allowed');
  });

  it('of a pet permit only tombstones of its entries, also if the pet is missing', async () => {
    const { alice, seed } = world();
    await seed('pets/none/journalEntries/orphan', entryData(alice.uid, 'none'));
    expect(await alice.push([{ path: pet, data: tombstone('ownerId', alice.uid) }])).toBe(
      'allowed',
    );
    const [made, changed] = [`${pet}/journalEntries/new`, `${pet}/journalEntries/e`];
    expect(await alice.push([{ path: made, data: newEntry(alice.uid) }])).toBe('denied');
    expect(await alice.push([{ path: changed, data: { text: 'X' }, mask: ['text'] }])).toBe(
      'denied',
    );
    for (const path of [made, changed, 'pets/none/journalEntries/orphan']) {
      expect(await alice.push([{ path, data: tombstone('createdBy', alice.uid) }])).toBe('allowed');
    }
  });
});

describe('paths that nobody may write', () => {
  it.each(['organizations/vet', 'organizations/new', 'users/ALICE', 'anything/else'])(
    '%s',
    async (path) => {
      const { alice, nobody } = world();
      const at = path.replace('ALICE', alice.uid);
      const data = { ownerId: alice.uid, createdBy: alice.uid, updatedAt: serverTimestamp() };
      expect(await alice.set(at, data)).toBe('denied');
      expect(await alice.push([{ path: at, data }])).toBe('denied');
      expect(await nobody.set(at, data)).toBe('denied');
    },
  );
});
