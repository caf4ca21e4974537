import { writeRecord } from '../change-documents.ts';
import { expect, it } from 'vitest';
import { newDocument } from '../../schemas/documents/document.ts';
import { checkpointId, emptyCheckpoint } from '../../schemas/local/local-record.ts';
import { failWrite } from '../../tests/support/fakes/failing-writes.ts';
import { openTestDatabase } from '../../tests/support/setups/test-database.ts';
import { createRxDocumentStore } from './rx-document-store.ts';

it('does not list what the owner has discarded', async () => {
  const database = await openTestDatabase();
  const store = createRxDocumentStore(database);
  const identity = { collection: 'entries', id: 'e1', ownerId: 'o', petId: 'p1' } as const;
  const to = newDocument(identity, { createdDate: 1, type: 'note', text: 'x' }, 1);
  await store.commit({ swaps: [{ from: null, to }] });
  const page = { afterId: '', limit: 10 };
  expect(await store.listPending('entries', 1, page)).toHaveLength(1);

  const row = await database.journal_entries.findOne('e1').exec();
  await row?.incrementalRemove();
  expect(await store.listPending('entries', 1, page)).toEqual([]);
  expect(await store.listAll('entries', page)).toEqual([]);
  expect(await store.listEntriesOfPet('p1', page)).toEqual([]);
  expect((await store.get('entries', ['e1'])).size).toBe(0);
});

it('stores a record that it could not store before', async () => {
  const database = await openTestDatabase();
  const store = createRxDocumentStore(database);
  const write = (complete: boolean) =>
    writeRecord(store, checkpointId, { ...emptyCheckpoint, complete });
  failWrite(database, 0);
  await expect(write(false)).rejects.toThrow('The disk has failed');
  await write(false);
  await write(true);
  expect(await store.readRecord(checkpointId)).toMatchObject({ complete: true });
});

it('D11.4 refuses every call once its signal is aborted, and stores nothing', async () => {
  const database = await openTestDatabase();
  const stop = new AbortController();
  const store = createRxDocumentStore(database, stop.signal);
  const page = { afterId: '', limit: 10 };
  const calls = [
    () => store.get('pets', ['p1']),
    () => store.listPending('pets', 1, page),
    () => store.listAll('pets', page),
    () => store.listEntriesOfPet('p1', page),
    () => store.readRecord(checkpointId),
    () => store.listRecords('checkpoint'),
    () => writeRecord(store, checkpointId, emptyCheckpoint),
  ];
  await expect(store.readRecord(checkpointId)).resolves.toBeNull();
  stop.abort();
  for (const call of calls) await expect(call()).rejects.toBe(stop.signal.reason);
  expect(await createRxDocumentStore(database).readRecord(checkpointId)).toBeNull();
});
