import { deleteField } from 'firebase/firestore/lite';
import { describe, expect, it } from 'vitest';
import { entryData, petData, useRulesWorld } from '../support/setups/rules-setup.ts';

/** The tests cover documents of earlier and later clients. */
const world = useRulesWorld();

const synced = { seq: 0, deleted: false, updatedAt: new Date(0) };

describe('a document of an earlier client', () => {
  it('gets its seq with the first write, whatever fields it has', async () => {
    const { alice, seed } = world();
    await seed('pets/old', {
      ownerId: alice.uid,
      name: 'N'.repeat(500),
      breed: null,
      dob: '2021-04-17',
      profilePicturePath: 'https://files.example/old.jpg',
      weight: 31,
    });
    const path = 'pets/old';
    expect(await alice.get(path)).toBe('allowed');
    expect(await alice.list('pets', ['ownerId', alice.uid])).toBe('allowed');
    const adopted = { ownerId: alice.uid, breed: deleteField(), edits: {} };
    expect(await alice.push([{ path, data: adopted, mask: Object.keys(adopted) }])).toBe('allowed');
    // The rules check each later change of a field.
    for (const data of [{ name: 'M'.repeat(500) }, { dob: '2021-04-18' }, { weight: 32 }]) {
      expect(await alice.push([{ path, data, mask: Object.keys(data) }])).toBe('denied');
    }
    expect(await alice.push([{ path, data: { name: 'Moss' }, mask: ['name'] }])).toBe('allowed');
  });

  it('can be deleted', async () => {
    const { alice, seed } = world();
    await seed('pets/old2', { ownerId: alice.uid, name: 'Old' });
    await seed('pets/old2/journalEntries/e', { createdBy: alice.uid, text: 'Old', type: 'note' });
    const entry = { createdBy: alice.uid, deleted: true };
    const pet = { ownerId: alice.uid, deleted: true };
    expect(
      await alice.push([
        { path: 'pets/old2/journalEntries/e', data: entry },
        { path: 'pets/old2', data: pet },
      ]),
    ).toBe('allowed');
  });

  it('accepts an entry of this client, although it lacks the field deleted', async () => {
    const { alice, seed } = world();
    await seed('pets/old3', { ownerId: alice.uid, name: 'Old' });
    const path = 'pets/old3/journalEntries/e';
    expect(await alice.push([{ path, data: entryData(alice.uid, 'old3') }])).toBe('allowed');
  });

  it('can no longer be written by that client, as no device would see the change', async () => {
    const { alice, seed } = world();
    await seed('pets/old4', { ownerId: alice.uid, name: 'Old' });
    expect(await alice.set('pets/old4', { ownerId: alice.uid, name: 'New' })).toBe('denied');
    expect(await alice.set('pets/old5', { ownerId: alice.uid, name: 'New' })).toBe('denied');
  });
});

describe('fields of a newer client', () => {
  it('are kept by a push, but not added, changed or removed', async () => {
    const { alice, seed } = world();
    const path = 'pets/new';
    const newer = { chip: '985', edits: { name: 1, chip: 2 } };
    await seed(path, { ...petData(alice.uid, 'new'), ...synced, ...newer });
    const mask = Object.keys(petData(alice.uid, 'new'));
    const pushed = { ...petData(alice.uid, 'new'), name: 'Moss', edits: { name: 3, chip: 2 } };
    expect(await alice.push([{ path, data: pushed, mask }])).toBe('allowed');
    expect(world().backend.firestore.get(path)).toMatchObject({ name: 'Moss', chip: '985' });
    for (const chip of ['986', deleteField()]) {
      expect(await alice.push([{ path, data: { chip }, mask: ['chip'] }])).toBe('denied');
    }
    const [more, less] = [{ tattoo: 'x' }, { edits: { name: 3, chip: 4 } }];
    expect(await alice.push([{ path, data: more, mask: ['tattoo'] }])).toBe('denied');
    expect(await alice.push([{ path, data: less, mask: ['edits'] }])).toBe('denied');
    expect(await alice.push([{ path, data: petData(alice.uid, 'new') }])).toBe('denied');
  });

  it('are removed when the document is deleted', async () => {
    const { alice, seed } = world();
    const path = 'pets/new2';
    await seed(path, { ...petData(alice.uid, 'new2'), ...synced, chip: '985', schemaVersion: 2 });
    const dead = { ownerId: alice.uid, deleted: true };
    expect(await alice.push([{ path, data: dead }])).toBe('allowed');
  });

  it('of an entry are kept too', async () => {
    const { alice, seed } = world();
    await seed('pets/new3', { ...petData(alice.uid, 'new3'), ...synced });
    const path = 'pets/new3/journalEntries/e';
    await seed(path, { ...entryData(alice.uid, 'new3'), ...synced, place: 'Thornham' });
    const text = { text: 'Geese' };
    expect(await alice.push([{ path, data: text, mask: ['text'] }])).toBe('allowed');
    expect(await alice.push([{ path, data: { place: 'x' }, mask: ['place'] }])).toBe('denied');
  });
});
