import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  collection,
  count,
  getAggregate,
  getDocs,
  orderBy,
  query,
  sum,
  where,
} from 'firebase/firestore/lite';
import { describe, expect, it } from 'vitest';
import { createListenStream } from '../../src/firestore/listen/listen-stream.ts';
import { parseIndexes } from '../../src/firestore-indexes/index-file.ts';
import { createRequireIndexes } from '../../src/firestore-indexes/require-indexes.ts';
import { entriesUnder } from '../../src/store/key-value-store.ts';
import { openLmdbStore } from '../../src/store/lmdb-store.ts';
import { spawnBackend } from '../support/servers/backend-process.ts';
import {
  orderBy as byField,
  str,
  structuredQuery,
  where as filter,
} from '../support/firestore-json.ts';
import { liteUser } from '../support/clients/lite-user.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { alice } from '../support/listen-kit.ts';
import { databaseNames, openTestDatabase } from '../support/test-database.ts';
import { createRecordingSink } from '../support/fakes/recording-sink.ts';

const indexes = JSON.stringify({
  indexes: [
    {
      collectionGroup: 'pets',
      queryScope: 'COLLECTION',
      fields: [
        { fieldPath: 'ownerId', order: 'ASCENDING' },
        { fieldPath: 'seq', order: 'ASCENDING' },
      ],
    },
  ],
});

async function indexFile(text: string): Promise<string> {
  const file = join(await tempFolder(), 'firestore.indexes.json');
  await writeFile(file, text);
  return file;
}

describe('declared indexes', () => {
  it('a query without its index fails as on hosted Firestore, and names it', async () => {
    const backend = await startBackend({ firestoreIndexes: await indexFile(indexes) });
    const { db, uid } = await liteUser(backend.port);
    const own = query(collection(db, 'pets'), where('ownerId', '==', uid));
    const undeclared = query(own, orderBy('name'));
    const refusal = {
      code: 'failed-precondition',
      message: expect.stringMatching(/The query requires an index\..*"ownerId".*"name"/),
    };
    expect((await getDocs(query(own, where('seq', '>', 3)))).size).toBe(0);
    await expect(getDocs(undeclared)).rejects.toMatchObject(refusal);
    await expect(getAggregate(undeclared, { n: count() })).rejects.toMatchObject(refusal);
    expect((await getAggregate(own, { n: sum('seq') })).data().n).toBe(0);
  });

  it('are made at the start, and removed when they are not declared any more', async () => {
    const dataDir = await tempFolder();
    const recordsWith = async (text: string) => {
      const backend = await startBackend({ dataDir, firestoreIndexes: await indexFile(text) });
      await backend.stop();
      const store = await openLmdbStore(join(dataDir, 'db'));
      const records = [...entriesUnder(store, 'fs/x/')].map(([, id]) => id);
      await store.close();
      return records;
    };
    const byName = [['__name__', false]];
    expect((await recordsWith(indexes)).map((id) => JSON.parse(id))).toEqual([
      ['pets', false, ['ownerId'], [['seq', false], ...byName]],
      ['pets', false, ['ownerId'], byName],
    ]);
    expect(await recordsWith('{}')).toEqual([]);
  });

  it('a live query is refused alone', async () => {
    const requireIndexes = createRequireIndexes(parseIndexes(indexes, 'file'));
    const { database } = await openTestDatabase({ requireIndexes });
    const sink = createRecordingSink();
    const stream = createListenStream({ database, sink, ...alice() });
    const listen = (targetId: number, field: string) => {
      const asked = { where: filter('ownerId', 'EQUAL', str('a')), orderBy: [byField(field)] };
      const structured = structuredQuery('pets', asked);
      stream.onMessage({
        addTarget: {
          targetId,
          query: { parent: databaseNames.toName(''), structuredQuery: structured },
        },
      });
    };
    listen(2, 'name');
    listen(4, 'seq');
    expect(sink.take().slice(0, 2)).toEqual(['REMOVE 2 9', 'ADD 4']);
  });

  it('a wrong file is one sentence and no start', async () => {
    const file = await indexFile('{"indexes":[{}]}');
    const args = ['--port', '0', '--data', await tempFolder(), '--firestore-indexes', file];
    const { exit, output } = spawnBackend(args);
    expect(await exit).toBe(1);
    expect(output.stderr).toMatch(/firestore\.indexes\.json: indexes\.0\.\w+: .+\n$/);
    expect(output.stderr.trim().split('\n').length).toBe(1);
  });
});
