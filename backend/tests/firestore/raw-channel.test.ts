import { describe, expect, it } from 'vitest';
import { int, setWrite } from '../support/firestore-json.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import type { Limits } from '../../src/limits/defaults.ts';
import { rawChannel } from '../support/clients/raw-channel.ts';
import { rawClient } from '../support/clients/raw-client.ts';
import { openRules } from '../support/rules-fixture.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { databaseNames } from '../support/test-database.ts';

const megabytes = 3_000_000;

async function setUp(limits: Partial<Limits> = {}) {
  const clock = createManualClock(Date.now());
  const backend = await startBackend({ clock, limits, firestoreRules: openRules });
  const client = rawClient(backend);
  const channel = (name: 'Listen' | 'Write') => rawChannel(client, name);
  return { backend, client, clock, channel };
}

describe('a client that is not signed in', () => {
  it('cannot make the server keep megabytes of its handshake', async () => {
    const { channel } = await setUp();
    for (const name of ['Listen', 'Write'] as const) {
      const large = JSON.stringify('x'.repeat(megabytes));
      expect((await channel(name).forward('VER=8&RID=1', [large], { offset: 1 })).status).toBe(413);
    }
  });

  it.each(['Listen', 'Write'] as const)(
    'cannot pile up messages after a gap on %s, in one request or in many',
    async (name) => {
      const channelBytes = { owner: 0, stranger: 1_000_000, address: 1_000_000, all: 1_000_000 };
      const { channel } = await setUp({ channelBytes });
      const one = await channel(name).open();
      const large = JSON.stringify('x'.repeat(megabytes));
      await one.post(2, large);
      expect(await one.next()).toMatch(/INVALID_ARGUMENT/);
      const many = await channel(name).open();
      const part = JSON.stringify('x'.repeat(300_000));
      const statuses: number[] = [];
      for (let offset = 2; offset < 10; offset++) {
        statuses.push((await many.post(offset, part)).status);
      }
      expect(statuses).toEqual([200, 200, 200, 400, 400, 400, 400, 400]);
    },
  );

  it('sends its megabytes to a session that is gone in vain', async () => {
    const { channel } = await setUp();
    const large = JSON.stringify('x'.repeat(megabytes));
    const { status, text } = await channel('Write').forward('SID=gone&RID=2', [large]);
    expect([status, text]).toEqual([400, 'Error: Unknown SID']);
  });
});

describe('a client that is signed in', () => {
  it('writes a batch of megabytes, also when it comes before the one it follows', async () => {
    const { backend, client, channel } = await setUp();
    const { idToken } = await client.signUp();
    const stream = await channel('Write').open([{ database: databaseNames.database }], idToken);
    expect(await stream.next()).toMatch(/streamToken/);
    const parts = Array.from({ length: 4 }, (_, at) =>
      setWrite(`c/large-${at}`, { s: { stringValue: 'x'.repeat(900_000) } }),
    );
    const large = JSON.stringify({ writes: parts });
    expect((await stream.post(2, large)).status).toBe(200);
    expect(backend.firestore.get('c/large-3')).toBeNull();
    await stream.post(1, JSON.stringify({ writes: [setWrite('c/small', { n: int(1) })] }));
    expect(await stream.next()).toMatch(/commitTime/);
    await expect.poll(() => backend.firestore.get('c/large-3')).not.toBeNull();
  });

  it('commits nothing on a stream that was open when its password changed', async () => {
    const { backend, client, clock, channel } = await setUp();
    const { idToken } = await client.signUp();
    const stream = await channel('Write').open([{ database: databaseNames.database }], idToken);
    await stream.next();
    clock.advance(1000);
    const changed = await client.account('update', { idToken, password: 'An0ther-password' });
    expect(changed.status).toBe(200);
    const batch = { writes: [setWrite('c/late', { n: int(1) })] };
    expect((await stream.post(1, JSON.stringify(batch))).status).toBe(200);
    const next = stream.next();
    await client.firestore('commit', { writes: [setWrite('c/other', {})] });
    expect(backend.firestore.get('c/late')).toBeNull();
    clock.advance(5000);
    expect(await next).toMatch(/UNAUTHENTICATED/);
    expect(backend.firestore.get('c/late')).toBeNull();
  });
});

it.each(['Listen', 'Write'] as const)('a message of another database ends %s', async (name) => {
  const { channel } = await setUp();
  const answerTo = async (database: string) => (await channel(name).open([{ database }])).next();
  expect(await answerTo('projects/demo-pawpals/databases/db1')).toMatch(/NOT_FOUND/);
  expect(await answerTo('projects/other/databases/(default)')).toMatch(/INVALID_ARGUMENT/);
});

it('a target without an id gets the next one, and the snapshot of all targets names none', async () => {
  const { channel, client } = await setUp();
  const { idToken } = await client.signUp();
  const query = {
    parent: databaseNames.database,
    structuredQuery: { from: [{ collectionId: 'c' }] },
  };
  const { database } = databaseNames;
  const stream = await channel('Listen').open([{ database, addTarget: { query } }], idToken);
  expect(await stream.next()).toMatch(/"CURRENT","targetIds":\[1\].*"targetIds":\[\],/s);
});

it('the REST methods of another database answer NOT_FOUND', async () => {
  const { client } = await setUp();
  const documents = client.documents.replace('(default)', 'db1');
  const name = `${databaseNames.documents.replace('(default)', 'db1')}/pets/rex`;
  const write = { update: { name, fields: {} } };
  const notFound = { status: 404, text: expect.stringMatching(/NOT_FOUND/) };
  expect(await client.json(`${documents}:commit`, { writes: [write] })).toMatchObject(notFound);
  expect(await client.json(`${documents}:batchGet`, { documents: [name] })).toMatchObject(notFound);
  const structuredQuery = { from: [{ collectionId: 'pets' }] };
  const query = await client.json(`${documents}:runQuery`, { structuredQuery });
  expect(query).toMatchObject(notFound);
});
