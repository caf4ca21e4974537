import { describe, expect, it } from 'vitest';
import { asDeleted } from '../../../schemas/documents/document.ts';
import { checkpointId, sweepPetJobId } from '../../../schemas/local/local-record.ts';
import { writeRecord } from '../../../store/change-documents.ts';
import { runDeletePetJob } from '../push/delete-pet-job.ts';
import { newEntry, newPet } from '../../../tests/support/fixtures/sync-documents.ts';
import {
  createSyncWorld,
  find,
  type SyncWorld,
  type TestDevice,
} from '../../../tests/support/setups/sync-setup.ts';

/** @returns a new device, and the ids of the records that it writes. */
function deviceWithRecords(world: SyncWorld) {
  const written: string[] = [];
  const tablet = world.device({
    wrapStore: (store) => ({
      ...store,
      commit: (writes) => {
        written.push(...(writes.records ?? []).map(([id]) => id));
        return store.commit(writes);
      },
    }),
  });
  return { tablet, written };
}

function versionsOf(device: TestDevice): number {
  return [...device.store.records().values()].filter(({ kind }) => kind === 'conflict-version')
    .length;
}

async function worldWithPets(...ids: string[]): Promise<{ world: SyncWorld; phone: TestDevice }> {
  const world = createSyncWorld();
  const phone = world.device();
  for (const id of ids) phone.store.put(newPet(id));
  await phone.sync();
  return { world, phone };
}

describe('a page of a pull', () => {
  it('D6.3 leaves no sweep job for a page without a deletion', async () => {
    const { world } = await worldWithPets('p0', 'p1');
    const { tablet, written } = deviceWithRecords(world);
    await tablet.sync();
    expect(new Set(written)).toEqual(new Set([checkpointId]));
  });

  it('D6.3 leaves no sweep job for a dog that is gone before it was ever here', async () => {
    const { world, phone } = await worldWithPets('p0', 'p1');
    await writeRecord(phone.store, 'delete-pet:p0', { kind: 'delete-pet', petId: 'p0' });
    await phone.sync();
    const { tablet, written } = deviceWithRecords(world);
    await tablet.sync();
    expect(find(tablet, 'pets', 'p0')).toMatchObject({ deleted: true });
    expect(new Set(written)).toEqual(new Set([checkpointId]));
  });
});

describe('entries and deleted pets that cross', () => {
  it('D6.3 an entry that reached the server first is deleted after all, and kept aside', async () => {
    const { world, phone } = await worldWithPets('p0');
    const tablet = world.device();
    await tablet.sync();
    tablet.store.put(newEntry({ id: 'e1', petId: 'p0' }));
    await tablet.sync();
    await writeRecord(phone.store, 'delete-pet:p0', { kind: 'delete-pet', petId: 'p0' });
    await phone.sync();
    await tablet.sync();
    expect(world.server.snapshot().documents.get('entries/e1')).toMatchObject({ deleted: true });
    expect(versionsOf(phone) + versionsOf(tablet)).toBeGreaterThan(0);
    expect(phone.store.records().has(sweepPetJobId('p0'))).toBe(false);
  });
});

describe('an entry under a pet that is deleted here', () => {
  it('D6.3 is deleted as well if the pet goes just before the page is stored', async () => {
    const { world, phone } = await worldWithPets('p0');
    let isToDelete = true;
    const tablet: TestDevice = world.device({
      wrapStore: (store) => ({
        ...store,
        commit: async (writes) => {
          if (isToDelete && writes.swaps?.some(({ to }) => to.id === 'late')) {
            isToDelete = false;
            await runDeletePetJob(store, 'p0');
          }
          return store.commit(writes);
        },
      }),
    });
    await tablet.sync();
    phone.store.put(newEntry({ id: 'late', petId: 'p0' }));
    await phone.sync();
    await tablet.sync();
    expect(isToDelete).toBe(false);
    expect(find(tablet, 'entries', 'late').deleted).toBe(true);
  });

  it('is deleted as well, although its author had not seen the deletion', async () => {
    const { world, phone } = await worldWithPets('p1');
    const tablet = world.device();
    await tablet.sync();
    phone.store.put(newEntry({ id: 'e1', petId: 'p1' }));
    await phone.sync();
    tablet.store.put(asDeleted(find(tablet, 'pets', 'p1')));
    await tablet.sync();
    expect(find(tablet, 'entries', 'e1').deleted).toBe(true);
    await phone.sync();
    expect(find(phone, 'entries', 'e1').deleted).toBe(true);
  });
});
