import { deleteField, serverTimestamp } from 'firebase/firestore/lite';
import { describe, expect, it } from 'vitest';
import { commitMaxDocuments, commitMaxPets } from '../../schemas/limits.ts';
import { entryData, petData, useRulesWorld, type Outcome } from '../support/setups/rules-setup.ts';
import { valuesOfEachType } from '../support/fixtures/wrong-values.ts';

const world = useRulesWorld();

const pet = (path: string, more: object = {}) => ({
  path,
  data: { ...petData(world().alice.uid, path.slice('pets/'.length)), ...more },
});

/** Sets the owner's head to the given number. */
async function startAt(head: number): Promise<void> {
  await world().seed(`sync/${world().alice.uid}`, { head, epoch: 'e' });
  await world().seed('pets/rex', { ...petData(world().alice.uid, 'rex'), seq: 3, deleted: false });
}

describe('the seq of a document', () => {
  it.each<[string, Outcome, { seq: unknown; head: number }]>([
    ['the next', 'allowed', { seq: 6, head: 6 }],
    ['a later one, up to the new head', 'allowed', { seq: 9, head: 9 }],
    ['a gap below the new head', 'allowed', { seq: 7, head: 9 }],
    ['the old head', 'denied', { seq: 5, head: 6 }],
    ['its own from before', 'denied', { seq: 3, head: 6 }],
    ['beyond the new head', 'denied', { seq: 7, head: 6 }],
    ['beyond a head that did not move', 'denied', { seq: 6, head: 5 }],
    ['a fraction', 'denied', { seq: 5.5, head: 6 }],
    ['a text', 'denied', { seq: '6', head: 6 }],
    ['a negative', 'denied', { seq: -6, head: 6 }],
    ['none', 'denied', { seq: null, head: 6 }],
  ])('%s: %s', async (_, expected, { seq, head }) => {
    await startAt(5);
    const { alice } = world();
    const moved = { head, epoch: 'e' };
    expect(await alice.push([pet('pets/rex', { seq })], moved)).toBe(expected);
    await startAt(5);
    const entry = { ...entryData(alice.uid, 'rex'), seq };
    const path = `pets/rex/journalEntries/${crypto.randomUUID()}`;
    expect(await alice.push([{ path, data: entry }], moved)).toBe(expected);
    await startAt(5);
    const dead = { path: 'pets/rex', data: { ownerId: alice.uid, deleted: true, seq } };
    expect(await alice.push([dead], moved)).toBe(expected);
  });

  it('is refused in a commit that leaves the head alone, and is never removed', async () => {
    await startAt(5);
    expect(await world().alice.push([pet('pets/rex')], null)).toBe('denied');
    const gone = { path: 'pets/rex', data: { seq: deleteField() }, mask: ['seq'] };
    expect(await world().alice.push([gone])).toBe('denied');
    const bare = {
      ...petData(world().alice.uid, 'rex'),
      deleted: false,
      updatedAt: serverTimestamp(),
    };
    expect(await world().alice.push([{ path: 'pets/new', data: bare, isBare: true }])).toBe(
      'denied',
    );
  });

  it('starts at 1 where there is no head yet', async () => {
    const { bob } = world();
    const data = { ownerId: bob.uid, name: 'Rex', edits: {} };
    expect(await bob.push([{ path: 'pets/b', data: { ...data, seq: 0 } }])).toBe('denied');
    expect(await bob.push([{ path: 'pets/b', data }], null)).toBe('denied');
    expect(await bob.push([{ path: 'pets/b', data }])).toBe('allowed');
  });

  it('cannot follow the head of another owner', async () => {
    await startAt(5);
    const { alice, bob } = world();
    const moved = { path: `sync/${bob.uid}`, data: { head: 100, epoch: 'e' }, isBare: true };
    expect(await alice.push([moved], null)).toBe('denied');
    expect(await alice.push([pet('pets/rex', { seq: 50 }), moved])).toBe('denied');
  });
});

describe('the head', () => {
  const write = async (data: object): Promise<Outcome> =>
    world().alice.set(`sync/${world().alice.uid}`, data);

  it.each<[string, Outcome, object]>([
    ['rises', 'allowed', { head: 6, epoch: 'e' }],
    ['stays', 'allowed', { head: 5, epoch: 'e' }],
    ['with another epoch', 'allowed', { head: 5, epoch: 'other' }],
    ['falls', 'denied', { head: 4, epoch: 'e' }],
    ['falls, with another epoch', 'denied', { head: 4, epoch: 'other' }],
    ['is gone', 'denied', { epoch: 'e' }],
    ['without an epoch', 'denied', { head: 6 }],
    ['with an empty epoch', 'denied', { head: 6, epoch: '' }],
    ['with a long epoch', 'denied', { head: 6, epoch: 'e'.repeat(129) }],
    ['with something else', 'denied', { head: 6, epoch: 'e', closed: false }],
  ])('%s: %s', async (_, expected, data) => {
    await startAt(5);
    expect(await write(data)).toBe(expected);
  });

  it('and its epoch have one type each, new or changed', async () => {
    const { bob, alice } = world();
    for (const person of [alice, bob]) {
      for (const [type, value] of Object.entries(valuesOfEachType(person.firestore))) {
        if (person === alice) await startAt(5);
        const path = `sync/${person.uid}`;
        const types = [
          type,
          person === bob && type === 'integer'
            ? 'skipped'
            : await person.set(path, { head: value, epoch: 'e' }),
          type === 'string' ? 'allowed' : await person.set(path, { head: 9, epoch: value }),
        ];
        const isHead = type === 'integer';
        const head = person === bob && isHead ? 'skipped' : isHead ? 'allowed' : 'denied';
        expect(types).toEqual([type, head, type === 'string' ? 'allowed' : 'denied']);
      }
    }
  });

  it('is never negative', async () => {
    const { bob } = world();
    await world().backend.firestore.commit([{ delete: `sync/${bob.uid}` }]);
    expect(await bob.set(`sync/${bob.uid}`, { head: -1, epoch: 'e' })).toBe('denied');
    expect(await bob.set(`sync/${bob.uid}`, { head: 0, epoch: 'e' })).toBe('allowed');
  });

  it('can be written by its owner only', async () => {
    await startAt(5);
    const { alice, bob, nobody } = world();
    for (const other of [bob, nobody]) {
      expect(await other.set(`sync/${alice.uid}`, { head: 9, epoch: 'e' })).toBe('denied');
      expect(await other.set('sync/somebody', { head: 9, epoch: 'e' })).toBe('denied');
    }
  });

  it('of a deleted account is closed, and all writes are denied', async () => {
    const { alice, seed } = world();
    for (const left of [{ head: 5, epoch: 'e', closed: true }, { closed: true }]) {
      await startAt(5);
      await seed(`sync/${alice.uid}`, left);
      expect(await write({ head: 6, epoch: 'e' })).toBe('denied');
      for (const head of [{ head: 6, epoch: 'e' }, null]) {
        const data = { ...petData(alice.uid, 'late'), seq: 6 };
        expect(await alice.push([{ path: 'pets/late', data }], head)).toBe('denied');
        const dead = { ownerId: alice.uid, deleted: true, seq: 6 };
        expect(await alice.push([{ path: 'pets/rex', data: dead }], head)).toBe('denied');
      }
    }
  });
});

describe('a commit', () => {
  const entries = (uid: string, petIds: readonly string[], count: number) =>
    Array.from({ length: count }, (_, at) => {
      const petId = petIds[at % petIds.length] ?? '';
      const path = `pets/${petId}/journalEntries/${crypto.randomUUID()}`;
      return { path, data: entryData(uid, petId) };
    });

  it('may be as large as the engine makes it', async () => {
    await startAt(5);
    const { alice } = world();
    const petIds = Array.from({ length: commitMaxPets }, (_, at) => `full-${at}`);
    const pets = petIds.map((id) => pet(`pets/${id}`));
    const rest = entries(alice.uid, petIds, commitMaxDocuments - commitMaxPets);
    expect(await alice.push([...pets, ...rest])).toBe('allowed');
  });

  it('reads at most twenty documents', async () => {
    await startAt(5);
    const { alice, seed } = world();
    const petIds = Array.from({ length: 19 }, (_, at) => `many-${at}`);
    for (const id of petIds) await seed(`pets/${id}`, petData(alice.uid, id));
    expect(await alice.push(entries(alice.uid, petIds, 19))).toBe('denied');
    expect(await alice.push(entries(alice.uid, petIds.slice(0, 17), 17))).toBe('allowed');
  });
});
