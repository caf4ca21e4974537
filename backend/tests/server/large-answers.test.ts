import { expect, it, onTestFinished } from 'vitest';
import { createBackend } from '../../src/server.ts';
import type { KeyValueStore } from '../../src/store/key-value-store.ts';
import { openLmdbStore } from '../../src/store/lmdb-store.ts';
import { rawChannel } from '../support/clients/raw-channel.ts';
import { bearer, rawClient } from '../support/clients/raw-client.ts';
import { structuredQuery } from '../support/firestore-json.ts';
import { testPasswordCost, startBackend } from '../support/servers/start-backend.ts';
import { keepRules } from '../support/rules-fixture.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { databaseNames } from '../support/test-database.ts';

/** A hundred slices: a small request takes a few turns of the event loop. */
const count = 20_000;

/** Starts a server in this process whose store counts the entries that are read for a long answer. */
async function setUp() {
  let entries = 0;
  let onThousand: () => void = () => undefined;
  const openStore = async (folder: string): Promise<KeyValueStore> => {
    const store = await openLmdbStore(folder);
    const snapshot = (): ReturnType<KeyValueStore['snapshot']> => {
      const original = store.snapshot();
      return {
        ...original,
        *range(range) {
          for (const each of original.range(range)) {
            if (++entries === 1000) onThousand();
            yield each;
          }
        },
      };
    };
    return { ...store, snapshot };
  };
  const dataDir = await tempFolder();
  const backend = await createBackend(
    { dataDir, firestoreRules: keepRules, passwordCost: testPasswordCost },
    openStore,
  );
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= backend.stop());
  onTestFinished(stop);
  for (let first = 0; first < count; first += 500) {
    const paths = Array.from({ length: 500 }, (_, at) => `many/${first + at}`);
    await backend.firestore.commit(paths.map((set) => ({ set, data: { n: 1 } })));
  }
  const client = rawClient(backend);
  const [alice, bob] = [await client.signUp(), await client.signUp()];
  /** The number of documents that were read when a small concurrent request was answered. */
  const readAtAnswer = new Promise<number>((resolve) => {
    onThousand = () => {
      const small = client.firestore(
        'batchGet',
        { documents: [databaseNames.toName('many/1')] },
        bob.idToken,
      );
      void small.then(({ status }) => resolve(status === 200 ? entries : Infinity));
    };
  });
  const onRead = (run: () => void) => {
    onThousand = run;
  };
  return { stop, dataDir, client, alice, readAtAnswer, onRead, entries: () => entries };
}

it('a query of 20,000 documents delays no small request of another owner', async () => {
  const { client, alice, readAtAnswer } = await setUp();
  const asked = { structuredQuery: structuredQuery('many', {}) };
  const { body } = await client.firestore('runQuery', asked, alice.idToken);
  expect(body).toHaveLength(count);
  expect(await readAtAnswer).toBeLessThan(count);
});

it('a listener to 20,000 documents delays no small request of another owner', async () => {
  const { client, alice, readAtAnswer } = await setUp();
  const query = { parent: databaseNames.documents, structuredQuery: structuredQuery('many', {}) };
  const listener = await rawChannel(client, 'Listen').open(
    [{ addTarget: { targetId: 2, query } }],
    alice.idToken,
  );
  let documents = 0;
  while (documents < count) {
    documents += (await listener.next()).match(/"documentChange"/g)?.length ?? 0;
  }
  expect(documents).toBe(count);
  expect(await readAtAnswer).toBeLessThan(count);
});

it('an answer to a client that has gone away is not read to its end', async () => {
  const { client, alice, onRead, entries } = await setUp();
  const { signal, abort } = abortion();
  onRead(abort);
  const body = JSON.stringify({ structuredQuery: structuredQuery('many', {}) });
  const headers = bearer(alice.idToken);
  const url = `${client.origin}${client.documents}:runQuery`;
  await expect(fetch(url, { method: 'POST', body, headers, signal })).rejects.toThrow('aborted');
  // Small requests run between the slices, so the aborted answer has ended after ten of them.
  const small = { documents: [databaseNames.toName('many/1')] };
  for (let at = 0; at < 10; at++) await client.firestore('batchGet', small, alice.idToken);
  const read = entries();
  for (let at = 0; at < 10; at++) await client.firestore('batchGet', small, alice.idToken);
  expect(entries()).toBe(read);
  expect(read).toBeLessThan(count);
});

it('a server that is stopped ends its long answers, and what it stored can be read', async () => {
  const { client, alice, stop, dataDir, onRead, entries } = await setUp();
  const stopped = new Promise<void>((resolve) => onRead(() => resolve(stop())));
  const query = { parent: databaseNames.documents, structuredQuery: structuredQuery('many', {}) };
  const channel = rawChannel(client, 'Listen');
  const listener = await channel.open([{ addTarget: { targetId: 2, query } }], alice.idToken);
  const ended = listener.next().catch(() => '');
  const { structuredQuery: asked } = query;
  const answer = client.firestore('runQuery', { structuredQuery: asked }, alice.idToken);
  await Promise.all([ended, answer.catch(() => undefined)]);
  await stopped;
  expect(entries()).toBeLessThan(2 * count);
  const again = await startBackend({ dataDir, firestoreRules: keepRules });
  expect(again.firestore.get('many/1')).toEqual({ n: 1 });
});

function abortion() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
