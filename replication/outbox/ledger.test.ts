import { describe, expect, it } from 'vitest';
import { asDeleted } from '../../schemas/documents/document.ts';
import {
  checkpointId,
  emptyCheckpoint,
  filesHistoryId,
  type PlaceFileJob,
} from '../../schemas/local/local-record.ts';
import { removal } from '../../schemas/local/remove-file.ts';
import type { OutboxJob } from '../../schemas/local/outbox-job.ts';
import { derivedId } from '../../store/derived-id.ts';
import { writeRecord } from '../../store/change-documents.ts';
import { petVersion, voiceJob } from '../../tests/support/fixtures/file-records.ts';
import { clean, newEntry, newPet } from '../../tests/support/fixtures/sync-documents.ts';
import { setUpLedger } from '../../tests/support/setups/ledger-setup.ts';
import { bytesOf, putJob } from '../../tests/support/setups/test-outbox.ts';
import { readLedger, readLedgerOf } from './ledger.ts';

const job = voiceJob('e1', { petId: 'p1', objectName: 'pets/p1/audios/a.webm' });

const placing: PlaceFileJob = {
  kind: 'place-file',
  collection: 'entries',
  documentId: 'e4',
  sourceId: 'p4',
  objectName: null,
  version: null,
  chosenAtMs: 1,
};

const version = petVersion({ documentId: 'p5', reason: 'deleted' });

describe('the ledger', () => {
  it('of a device with nothing on it is empty', async () => {
    const ledger = await readLedger(setUpLedger().deps);
    expect(ledger).toMatchObject({
      nowMs: 1_000,
      correctedMs: 2_000,
      isFetched: false,
      epoch: null,
      comparedEpoch: null,
      jobs: [],
      pictures: [],
      recordings: [],
    });
    const { documents, dyingPets, successors } = ledger;
    expect(
      [documents.pets, documents.entries, dyingPets, successors].map(({ size }) => size),
    ).toEqual([0, 0, 0, 0]);
  });

  it('has the history of the server, and that of the files', async () => {
    const { deps, store } = setUpLedger();
    await writeRecord(store, checkpointId, { ...emptyCheckpoint, epoch: 'one' });
    await writeRecord(store, filesHistoryId, { kind: 'files-history', epoch: 'other' });
    expect(await readLedger(deps)).toMatchObject({
      isFetched: false,
      epoch: 'one',
      comparedEpoch: 'other',
    });
    await writeRecord(store, checkpointId, { ...emptyCheckpoint, complete: true });
    expect((await readLedger(deps)).isFetched).toBe(true);
  });

  it('has every document that a row names, and no other', async () => {
    const { deps, outbox, store } = setUpLedger();
    for (const id of ['p1', 'p2', 'p3', 'p4', 'p5', 'other']) store.put(newPet(id));
    for (const id of ['e1', 'e2', 'e3', 'e4', 'unnamed']) store.put(newEntry({ id, petId: 'p1' }));
    await putJob(store, job, bytesOf('sound'));
    const file = { bytes: bytesOf('x'), contentType: 'x', md5: 'x' };
    await outbox.caches.keepPicture('p2', file);
    await outbox.caches.keepRecording('e2', 'pets/p1/audios/b.webm', file);
    await store.commit({
      records: [
        removal({ collection: 'entries', id: 'e3' }, 'pets/p1/audios/c.webm'),
        removal({ collection: 'pets', id: 'p3' }, 'pets/p3/images/profile.jpg'),
        ['place-file:e4', placing],
        ['conflict-version:1', version],
      ],
    });
    const { documents, jobs, placements, removals, versions } = await readLedger(deps);
    expect([...documents.pets.keys()].toSorted()).toEqual(['p1', 'p2', 'p3', 'p4', 'p5']);
    expect([...documents.entries.keys()].toSorted()).toEqual(['e1', 'e2', 'e3', 'e4']);
    expect(jobs.map(({ id }) => id)).toEqual([job.id]);
    expect([placements, removals, versions].map(({ size }) => size)).toEqual([1, 2, 1]);
  });

  it('has the live successor of an entry that is gone, and none of one that is there', async () => {
    const { deps, store } = setUpLedger();
    const ids = ['deleted', 'missing', 'twice', 'live'];
    const jobs = ids.map((id) => ({ ...job, id: `voice-note:${id}`, entryId: id }));
    for (const each of jobs) await putJob(store, each, bytesOf('sound'));
    const entryOf = (id: string) => newEntry({ id, petId: 'p1' });
    for (const id of ['deleted', 'twice']) store.put(asDeleted(clean(entryOf(id), 3)));
    const [deleted = '', missing = '', again = '', unused = ''] = await Promise.all(
      ids.map(derivedId),
    );
    const twice = await derivedId(again);
    for (const id of ['live', deleted, missing, unused, twice]) store.put(entryOf(id));
    store.put(asDeleted(clean(entryOf(again), 3)));
    const { successors } = await readLedger(deps);
    expect(Object.fromEntries([...successors].map(([of, { id }]) => [of, id]))).toEqual({
      deleted,
      missing,
      twice,
    });
  });

  it('has the pets whose deletion has begun', async () => {
    const { deps, store } = setUpLedger();
    await writeRecord(store, 'delete-pet:p1', { kind: 'delete-pet', petId: 'p1' });
    expect([...(await readLedger(deps)).dyingPets]).toEqual(['p1']);
  });
});

describe('the ledger of one job', () => {
  it('has the documents of that job only', async () => {
    const { deps, store } = setUpLedger();
    for (const id of ['p1', 'p2']) store.put(newPet(id));
    for (const id of ['e1', 'e2']) store.put(newEntry({ id, petId: 'p1' }));
    await putJob(store, { ...job, id: 'voice-note:e2', entryId: 'e2', petId: 'p2' }, bytesOf('x'));
    const { documents, jobs } = await readLedgerOf(deps, job);
    expect(jobs).toEqual([job]);
    expect([...documents.pets.keys()]).toEqual(['p1']);
    expect([...documents.entries.keys()]).toEqual(['e1']);
  });

  it('of a picture has no entry', async () => {
    const { deps, store } = setUpLedger();
    store.put(newPet('p1'));
    const picture: OutboxJob = { ...job, kind: 'profile-picture', entryId: null };
    const { documents } = await readLedgerOf(deps, picture);
    expect([documents.pets.size, documents.entries.size]).toEqual([1, 0]);
  });
});
