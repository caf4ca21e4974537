import { expect, it, onTestFinished } from 'vitest';
import { createBackend } from '../../src/server.ts';
import type { KeyValueStore } from '../../src/store/key-value-store.ts';
import { openLmdbStore } from '../../src/store/lmdb-store.ts';
import { rawChannel } from '../support/clients/raw-channel.ts';
import { rawClient } from '../support/clients/raw-client.ts';
import { structuredQuery } from '../support/firestore-json.ts';
import { TEST_PASSWORD_COST } from '../support/servers/start-backend.ts';
import { KEEP_RULES } from '../support/rules-fixture.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { NAMES } from '../support/test-database.ts';

const COUNT = 4000;

/** A server whose store tells how much of a long answer was read. It runs in this very process. */
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
    { dataDir, firestoreRules: KEEP_RULES, passwordCost: TEST_PASSWORD_COST },
    openStore,
  );
  onTestFinished(() => backend.stop());
  for (let first = 0; first < COUNT; first += 500) {
    const paths = Array.from({ length: 500 }, (_, at) => `many/${first + at}`);
    await backend.firestore.commit(paths.map((set) => ({ set, data: { n: 1 } })));
  }
  const client = rawClient(backend);
  const [alice, bob] = [await client.signUp(), await client.signUp()];
  /** How many documents were read when a small request, made in the middle, was answered. */
  const readAtAnswer = new Promise<number>((resolve) => {
    onThousand = () => {
      const small = client.firestore(
        'batchGet',
        { documents: [NAMES.toName('many/1')] },
        bob.idToken,
      );
      void small.then(({ status }) => resolve(status === 200 ? entries : Infinity));
    };
  });
  return { client, alice, readAtAnswer };
}

it('a query of 4,000 documents delays no small request of another owner', async () => {
  const { client, alice, readAtAnswer } = await setUp();
  const asked = { structuredQuery: structuredQuery('many', {}) };
  const { body } = await client.firestore('runQuery', asked, alice.idToken);
  expect(body).toHaveLength(COUNT);
  expect(await readAtAnswer).toBeLessThan(COUNT);
});

it('a listener to 4,000 documents delays no small request of another owner', async () => {
  const { client, alice, readAtAnswer } = await setUp();
  const query = { parent: NAMES.documents, structuredQuery: structuredQuery('many', {}) };
  const listener = await rawChannel(client, 'Listen').open(
    [{ addTarget: { targetId: 2, query } }],
    alice.idToken,
  );
  let documents = 0;
  while (documents < COUNT) {
    documents += (await listener.next()).match(/"documentChange"/g)?.length ?? 0;
  }
  expect(documents).toBe(COUNT);
  expect(await readAtAnswer).toBeLessThan(COUNT);
});
