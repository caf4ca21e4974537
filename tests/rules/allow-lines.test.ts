import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deployedFiles } from '../support/built-app/deployed-files.ts';
import { createFiles } from '../support/servers/sdk-files.ts';
import { readAllowLines, withoutAllow, type AllowLine } from '../support/built-app/allow-lines.ts';
import {
  entryData,
  openRulesWorld,
  petData,
  type Outcome,
  type RulesWorld,
} from '../support/setups/rules-setup.ts';

/**
 * A request that one allow of the deployed rules permits. The same request must be denied by the rules without that
 * allow. An allow without a row in the tables, or a row without an allow, fails.
 */
type Request = (world: RulesWorld) => Promise<Outcome>;

const uid = ({ alice }: RulesWorld) => alice.uid;
const dead = { deleted: true };

/** The requests by the name of the allow, then by method. */
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

const filesOf = ({ alice, backend }: RulesWorld) => createFiles(alice, backend.port);
const [picture, recording] = [
  'pets/rex/images/profile.webp',
  'pets/rex/audios/voice-note-1.webm',
] as const;

/** The uploads come first, because the later requests need the files. */
const storageRequests: Readonly<Record<string, Readonly<Record<string, Request>>>> = {
  '/pets/{petId}/images/{file} create, update': {
    create: (world) => filesOf(world).upload(picture, 'image/webp'),
    update: (world) => filesOf(world).describe(picture, 'image/webp'),
  },
  '/pets/{petId}/images/{file} get, delete': {
    get: (world) => filesOf(world).read(picture),
    delete: (world) => filesOf(world).remove(picture),
  },
  '/pets/{petId}/audios/{file} create, update': {
    create: (world) => filesOf(world).upload(recording, 'audio/webm'),
    update: (world) => filesOf(world).describe(recording, 'audio/webm'),
  },
  '/pets/{petId}/audios/{file} get, delete': {
    get: (world) => filesOf(world).read(recording),
    delete: (world) => filesOf(world).remove(recording),
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

function methodsOf({ name }: AllowLine): string[] {
  const words = name
    .replace(/ \(\d+\)$/, '')
    .replace(/^\S+ /, '')
    .split(', ');
  return words.flatMap((word) => (word === 'read' ? ['get', 'list'] : [word]));
}

const services = [
  {
    option: 'firestoreRules',
    requests: firestoreRequests,
    allows: await readAllowLines(deployedFiles.firestoreRules, 'cloud.firestore'),
  },
  {
    option: 'storageRules',
    requests: storageRequests,
    allows: await readAllowLines(deployedFiles.storageRules, 'firebase.storage'),
  },
] as const;

describe.each(services)('the allows of $option', ({ option, requests, allows }) => {
  let world: RulesWorld;

  beforeAll(async () => {
    world = await furnished(await openRulesWorld());
  });
  afterAll(() => world.close());

  it('are exactly the rows of the table, each with its methods', () => {
    const listed = Object.entries(requests).map(([name, each]) => [name, Object.keys(each)]);
    const written = allows.map((each) => [each.name, methodsOf(each)]);
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(written));
  });

  it.each(Object.entries(requests))('%s permits its requests', async (_, each) => {
    for (const [method, request] of Object.entries(each)) {
      expect([method, await request(world)]).toEqual([method, 'allowed']);
    }
  });

  it.each(allows)('requests of $name are denied without it', async (allow) => {
    const poorer = await furnished(
      await openRulesWorld({ [option]: await withoutAllow(deployedFiles[option], allow) }),
    );
    try {
      for (const [method, request] of Object.entries(requests[allow.name] ?? {})) {
        expect([method, await request(poorer)]).toEqual([method, 'denied']);
      }
    } finally {
      await poorer.close();
    }
  });
});
