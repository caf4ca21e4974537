import { writeRecord } from '../../../store/change-documents.ts';
import { describe, expect, it } from 'vitest';
import { asDeleted } from '../../../schemas/documents/document.ts';
import { deletePetJobId, sweepPetJobId } from '../../../schemas/local/local-record.ts';
import { createMemoryDocumentStore } from '../../../tests/support/fakes/memory-document-store.ts';
import { clean, newEntry, newPet } from '../../../tests/support/fixtures/sync-documents.ts';
import { createSyncWorld } from '../../../tests/support/setups/sync-setup.ts';
import { RemoteError } from '../../ports.ts';
import type { DocumentStore } from '../../../store/document-store.ts';
import { resumeDeletePetJobs, runDeletePetJob, runSweepPetJobs } from './delete-pet-job.ts';

const entryCount = 250;

async function storeWithJournal() {
  const store = createMemoryDocumentStore();
  store.put(clean(newPet('p1'), 1));
  store.put(clean(newPet('p2'), 2));
  for (let index = 0; index < entryCount; index += 1) {
    store.put(clean(newEntry({ id: `e${String(index).padStart(3, '0')}`, petId: 'p1' }), 3));
  }
  store.put(clean(newEntry({ id: 'other', petId: 'p2' }), 4));
  await writeRecord(store, deletePetJobId('p1'), { kind: 'delete-pet', petId: 'p1' });
  return store;
}

/** A store that fails at the given write, as in a crash. */
function dyingAt(store: DocumentStore, write: number): DocumentStore {
  let left = write;
  const spend = (): void => {
    left -= 1;
    if (left < 0) throw new Error('died');
  };
  return {
    ...store,
    commit: async (writes) => {
      spend();
      return store.commit(writes);
    },
  };
}

describe('deleting a pet', () => {
  it('D6.1 deletes the entries, then the pet, then the job, and nothing else', async () => {
    const store = await storeWithJournal();
    const order: string[] = [];
    const watched: DocumentStore = {
      ...store,
      commit: (writes) => {
        const { swaps = [], records = [] } = writes;
        const collection = swaps[0]?.to.collection;
        order.push(collection ? `${collection} ${swaps.length}` : `records ${records.length}`);
        return store.commit(writes);
      },
    };
    await runDeletePetJob(watched, 'p1');
    expect(order).toEqual(['entries 100', 'entries 100', 'entries 50', 'pets 1', 'records 1']);
    const live = [...store.documents('pets'), ...store.documents('entries')].filter(
      ({ deleted }) => !deleted,
    );
    expect(live.map(({ id }) => id)).toEqual(['p2', 'other']);
    expect(store.records().size).toBe(0);
  });

  it('D6.1 leaves tombstones that wait, forked from what the server has', async () => {
    const store = await storeWithJournal();
    await runDeletePetJob(store, 'p1');
    const [entry] = store.documents('entries');
    expect(entry).toEqual(
      expect.objectContaining({ deleted: true, pending: 1, seq: 3, fields: {} }),
    );
    expect(entry?.base?.fields['text']).toBe('text of e000');
  });

  it('O6.1 stores removals for the files of the dog and its entries before it deletes them', async () => {
    const picture = 'pets/p1/images/profile.jpg';
    const recording = 'pets/p1/audios/voice-note-1.webm';
    for (let write = 0; write < 5; write += 1) {
      const store = await storeWithJournal();
      store.put(clean(newPet('p1', { name: 'Rex', profilePicturePath: picture }), 1));
      const fields = { type: 'voice-note', fileLocation: recording };
      store.put(clean(newEntry({ id: 'e120', petId: 'p1', fields }), 3));
      const dying = runDeletePetJob(dyingAt(store, write), 'p1');
      await expect(dying).rejects.toThrow('died');
      const gone = [...store.documents('entries'), ...store.documents('pets')].flatMap(
        ({ id, deleted }) => (deleted ? [id] : []),
      );
      const named = async () =>
        [...(await store.listRecords('remove-file')).values()].flatMap((job) =>
          job.kind === 'remove-file' ? [job.objectName] : [],
        );
      const needed = [
        ...(gone.includes('e120') ? [recording] : []),
        ...(gone.includes('p1') ? [picture] : []),
      ];
      expect(await named()).toEqual(expect.arrayContaining(needed));
      await resumeDeletePetJobs(store);
      expect((await named()).toSorted()).toEqual([recording, picture].toSorted());
    }
  });

  it('D6.1 resumes after a crash at any of its writes', async () => {
    for (let write = 0; write < 5; write += 1) {
      const store = await storeWithJournal();
      const dying = runDeletePetJob(dyingAt(store, write), 'p1');
      await expect(dying).rejects.toThrow('died');
      expect(store.records().size).toBe(1);
      await resumeDeletePetJobs(store);
      expect(store.records().size).toBe(0);
      expect(store.documents('entries').filter(({ deleted }) => !deleted)).toHaveLength(1);
      expect(store.documents('pets').filter(({ deleted }) => deleted)).toHaveLength(1);
    }
  });

  it('D6.1 leaves entries that came after the pet was deleted to the sweep', async () => {
    const store = await storeWithJournal();
    const [pet] = store.documents('pets');
    if (!pet) throw new Error('no pet');
    store.put(asDeleted(pet));
    await runDeletePetJob(store, 'p1');
    expect(store.documents('entries').some(({ deleted }) => deleted)).toBe(false);
    expect([...store.records().keys()]).toEqual([sweepPetJobId('p1')]);
  });

  it('D6.1 leaves an entry that a pull stores meanwhile to the sweep', async () => {
    const store = await storeWithJournal();
    const watched: DocumentStore = {
      ...store,
      commit: (writes) => {
        const isPets = writes.swaps?.[0]?.to.collection === 'pets';
        if (isPets) store.put(clean(newEntry({ id: 'late', petId: 'p1' }), 9));
        return store.commit(writes);
      },
    };
    await runDeletePetJob(watched, 'p1');
    expect(store.documents('entries').find(({ id }) => id === 'late')?.deleted).toBe(false);
    expect([...store.records().keys()]).toEqual([sweepPetJobId('p1')]);
  });

  it('D6.1 does not mind a pet that is gone already', async () => {
    const store = createMemoryDocumentStore();
    await writeRecord(store, deletePetJobId('p1'), { kind: 'delete-pet', petId: 'p1' });
    await runDeletePetJob(store, 'p1');
    expect(store.records().size).toBe(0);
  });

  it('D6.2 is resumed by a run, also if the server does not answer', async () => {
    const phone = createSyncWorld().device({
      wrapRemote: (remote) => ({
        ...remote,
        readHead: () => Promise.reject(new RemoteError('transient', 'unavailable')),
      }),
    });
    phone.store.put(newPet('p1'));
    phone.store.put(newEntry({ id: 'e1', petId: 'p1' }));
    await writeRecord(phone.store, deletePetJobId('p1'), { kind: 'delete-pet', petId: 'p1' });
    expect((await phone.sync()).problem).toBe('unavailable');
    const all = [...phone.store.documents('pets'), ...phone.store.documents('entries')];
    expect(all.map(({ id, deleted }) => [id, deleted])).toEqual([
      ['p1', true],
      ['e1', true],
    ]);
  });
});

describe('sweeping after a pet that was deleted elsewhere', () => {
  it('D6.3 deletes live entries, keeps their content, and leaves what waits to the push', async () => {
    const store = createMemoryDocumentStore();
    store.put({ ...clean(newPet('p1'), 1), deleted: true });
    store.put(clean(newEntry({ id: 'e1', petId: 'p1' }), 2));
    store.put(newEntry({ id: 'e2', petId: 'p1' }));
    await writeRecord(store, sweepPetJobId('p1'), { kind: 'sweep-pet', petId: 'p1' });
    await runSweepPetJobs(store, 5_000);
    const [swept, waiting] = store.documents('entries');
    expect(swept).toMatchObject({ deleted: true, pending: 1 });
    expect(waiting).toMatchObject({ deleted: false, pending: 1 });
    const records = [...store.records().values()];
    const expected = { documentId: 'e1', reason: 'deleted', side: 'server', keptAtMs: 5_000 };
    expect(records).toMatchObject([expected]);
  });

  it('D6.3 O6.1 names the file of an entry that it deletes', async () => {
    const store = createMemoryDocumentStore();
    store.put({ ...clean(newPet('p1'), 1), deleted: true });
    const fileLocation = 'pets/p1/audios/voice-note-1.webm';
    store.put(clean(newEntry({ id: 'e1', petId: 'p1', fields: { fileLocation } }), 2));
    await writeRecord(store, sweepPetJobId('p1'), { kind: 'sweep-pet', petId: 'p1' });
    await runSweepPetJobs(store, 5_000);
    const named = [...(await store.listRecords('remove-file')).values()];
    expect(named).toMatchObject([{ documentId: 'e1', objectName: fileLocation }]);
  });

  it('D6.3 does nothing to a pet that lives', async () => {
    const store = createMemoryDocumentStore();
    store.put(clean(newPet('p1'), 1));
    store.put(clean(newEntry({ id: 'e1', petId: 'p1' }), 2));
    await writeRecord(store, sweepPetJobId('p1'), { kind: 'sweep-pet', petId: 'p1' });
    await runSweepPetJobs(store, 5_000);
    expect(store.documents('entries')[0]?.deleted).toBe(false);
    expect(store.records().size).toBe(0);
  });
});
