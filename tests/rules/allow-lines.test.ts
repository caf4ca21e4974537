import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { deployedFiles } from '../support/backend-in-process.ts';
import { readAllowLines, withoutAllow, type AllowLine } from '../support/allow-lines.ts';
import {
  entryData,
  openRulesWorld,
  petData,
  type Outcome,
  type RulesWorld,
} from '../support/rules-world.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

/**
 * Each allow of the deployed rules, with requests that pass because of it: the same requests are refused by the same
 * rules without it. An allow that is in no row, and a row without an allow, fail.
 */
type Request = (world: RulesWorld) => Promise<Outcome>;

const uid = ({ alice }: RulesWorld) => alice.uid;
const dead = { deleted: true };

/** By the name of the allow and the method. */
const firestoreRequests: Readonly<Record<string, Readonly<Record<string, Request>>>> = {
  '/pets/{petId} get': { get: ({ alice }) => alice.get('pets/rex') },
  '/pets/{petId} list': {
    list: (world) => world.alice.list('pets', ['ownerId', uid(world)]),
  },
  '/pets/{petId} create, update': {
    create: (world) => world.alice.push([{ path: 'pets/new', data: petData(uid(world), 'new') }]),
    update: ({ alice }) =>
      alice.push([{ path: 'pets/rex', data: { name: 'Moss' }, mask: ['name'] }]),
  },
  '/pets/{petId} create, update (2)': {
    create: (world) =>
      world.alice.push([{ path: 'pets/gone', data: { ownerId: uid(world), ...dead } }]),
    update: (world) =>
      world.alice.push([{ path: 'pets/last', data: { ownerId: uid(world), ...dead } }]),
  },
  '/journalEntries/{entryId} get': {
    get: ({ alice }) => alice.get('pets/rex/journalEntries/e'),
  },
  '/journalEntries/{entryId} create, update': {
    create: (world) =>
      world.alice.push([
        { path: 'pets/rex/journalEntries/new', data: entryData(uid(world), 'rex') },
      ]),
    update: ({ alice }) =>
      alice.push([{ path: 'pets/rex/journalEntries/e', data: { text: 'x' }, mask: ['text'] }]),
  },
  '/journalEntries/{entryId} create': {
    create: (world) =>
      world.alice.push([
        { path: 'pets/rex/journalEntries/gone', data: { createdBy: uid(world), ...dead } },
      ]),
  },
  '/journalEntries/{entryId} update': {
    update: (world) =>
      world.alice.push([
        { path: 'pets/rex/journalEntries/last', data: { createdBy: uid(world), ...dead } },
      ]),
  },
  '/{path=**}/journalEntries/{entryId} list': {
    list: (world) => world.alice.listGroup('journalEntries', ['createdBy', uid(world)]),
  },
  '/sync/{uid} get': { get: (world) => world.alice.get(`sync/${uid(world)}`) },
  '/sync/{uid} create': {
    create: ({ bob }) => bob.set(`sync/${bob.uid}`, { head: 0, epoch: 'e' }),
  },
  '/sync/{uid} update': {
    update: (world) => world.alice.set(`sync/${uid(world)}`, { head: 1_000, epoch: 'e' }),
  },
  '/organizations/{organizationId} read': {
    get: ({ alice }) => alice.get('organizations/vet'),
    list: ({ alice }) => alice.list('organizations'),
  },
};

async function furnished(world: RulesWorld): Promise<RulesWorld> {
  const me = uid(world);
  for (const petId of ['rex', 'last']) await world.seed(`pets/${petId}`, petData(me, petId));
  for (const entryId of ['e', 'last']) {
    await world.seed(`pets/rex/journalEntries/${entryId}`, entryData(me, 'rex'));
  }
  await world.seed(`sync/${me}`, { head: 0, epoch: 'e' });
  await world.seed('organizations/vet', { tradingName: 'Vet' });
  return world;
}

const allows = await readAllowLines(deployedFiles.firestoreRules, 'cloud.firestore');

function methodsOf({ name }: AllowLine): string[] {
  const words = name
    .replace(/ \(\d+\)$/, '')
    .replace(/^\S+ /, '')
    .split(', ');
  return words.flatMap((word) => (word === 'read' ? ['get', 'list'] : [word]));
}

describe('the allows of firestore.rules', () => {
  let world: RulesWorld;

  beforeAll(async () => {
    world = await furnished(await openRulesWorld());
  });
  afterAll(() => world.close());

  it('are all in the table, each with its methods, and nothing else is', () => {
    const listed = Object.entries(firestoreRequests).map(([name, requests]) => [
      name,
      Object.keys(requests),
    ]);
    expect(listed).toEqual(allows.map((each) => [each.name, methodsOf(each)]));
  });

  it.each(allows)('$name lets these pass', async ({ name }) => {
    for (const [method, request] of Object.entries(firestoreRequests[name] ?? {})) {
      expect([method, await request(world)]).toEqual([method, 'allowed']);
    }
  });

  it.each(allows)('without $name they are refused', async (allow) => {
    const firestoreRules = await withoutAllow(deployedFiles.firestoreRules, allow);
    const poorer = await furnished(await openRulesWorld({ firestoreRules }));
    try {
      for (const [method, request] of Object.entries(firestoreRequests[allow.name] ?? {})) {
        expect([method, await request(poorer)]).toEqual([method, 'denied']);
      }
    } finally {
      await poorer.close();
    }
  });
});
