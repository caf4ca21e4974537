import { beforeAll, describe, expect, it } from 'vitest';
import { entryData, petData, useRulesWorld, type Outcome } from '../support/setups/rules-setup.ts';

const world = useRulesWorld();

beforeAll(async () => {
  const { alice, bob, seed } = world();
  for (const { uid } of [alice, bob]) {
    const petId = `of-${uid}`;
    await seed(`pets/${petId}`, petData(uid, petId));
    await seed(`pets/${petId}/journalEntries/e`, entryData(uid, petId));
    await seed(`sync/${uid}`, { head: 0, epoch: 'e' });
    await seed(`users/${uid}`, { email: 'x@example.com' });
  }
  await seed('organizations/vet', { tradingName: 'Vet', memberCount: 3 });
  await seed('pets/nobodys', { name: 'Stray' });
});

/** Replaces `ALICE` and `BOB` by their ids. */
const named = (text: string): string =>
  text.replaceAll('ALICE', world().alice.uid).replaceAll('BOB', world().bob.uid);

describe('one document', () => {
  it.each<[string, Outcome]>([
    ['pets/of-ALICE', 'allowed'],
    ['pets/none', 'allowed'],
    ['pets/of-BOB', 'denied'],
    ['pets/nobodys', 'denied'],
    ['pets/of-ALICE/journalEntries/e', 'allowed'],
    ['pets/of-ALICE/journalEntries/none', 'allowed'],
    ['pets/of-BOB/journalEntries/e', 'denied'],
    ['pets/of-ALICE/other/e', 'denied'],
    ['pets/of-ALICE/journalEntries/e/more/x', 'denied'],
    ['other/x/journalEntries/e', 'denied'],
    ['sync/ALICE', 'allowed'],
    ['sync/BOB', 'denied'],
    ['sync/ALICE/more/x', 'denied'],
    ['organizations/vet', 'allowed'],
    ['organizations/none', 'allowed'],
    ['organizations/vet/more/x', 'denied'],
    ['users/ALICE', 'denied'],
    ['users/none', 'denied'],
    ['anything/else', 'denied'],
  ])('%s to its owner or not: %s, and never to nobody', async (path, expected) => {
    expect(await world().alice.get(named(path))).toBe(expected);
    expect(await world().nobody.get(named(path))).toBe('denied');
  });
});

describe('many documents', () => {
  it.each<[string, readonly [string, string] | undefined, Outcome]>([
    ['pets', ['ownerId', 'ALICE'], 'allowed'],
    ['pets', ['ownerId', 'BOB'], 'denied'],
    ['pets', ['name', 'Bramble'], 'denied'],
    ['pets', undefined, 'denied'],
    ['pets/of-ALICE/journalEntries', ['createdBy', 'ALICE'], 'allowed'],
    ['pets/of-BOB/journalEntries', ['createdBy', 'BOB'], 'denied'],
    ['pets/of-ALICE/journalEntries', undefined, 'denied'],
    ['pets/of-ALICE/other', undefined, 'denied'],
    ['organizations', undefined, 'allowed'],
    ['users', undefined, 'denied'],
    ['users', ['email', 'x@example.com'], 'denied'],
    ['sync', undefined, 'denied'],
    ['anything', undefined, 'denied'],
  ])('%s with %j: %s', async (path, equals, expected) => {
    const asked = equals === undefined ? undefined : ([equals[0], named(equals[1])] as const);
    expect(await world().alice.list(named(path), asked)).toBe(expected);
    expect(await world().nobody.list(named(path), asked)).toBe('denied');
  });

  it.each<[string, readonly [string, string] | undefined, Outcome]>([
    ['journalEntries', ['createdBy', 'ALICE'], 'allowed'],
    ['journalEntries', ['createdBy', 'BOB'], 'denied'],
    ['journalEntries', undefined, 'denied'],
    ['pets', ['ownerId', 'ALICE'], 'denied'],
    ['users', undefined, 'denied'],
  ])('all %s anywhere with %j: %s', async (id, equals, expected) => {
    const asked = equals === undefined ? undefined : ([equals[0], named(equals[1])] as const);
    expect(await world().alice.listGroup(id, asked)).toBe(expected);
    expect(await world().nobody.listGroup(id, asked)).toBe('denied');
  });
});
