import { describe, expect, it } from 'vitest';
import { checkpointId, emptyCheckpoint } from '../../../schemas/local/local-record.ts';
import { writeRecord } from '../../../store/change-documents.ts';
import { runDeletePetJob } from '../../../replication/documents/push/delete-pet-job.ts';
import {
  contentOf,
  setUpTransfers,
  unhurried,
} from '../../../tests/support/setups/transfer-setup.ts';

describe('an import', () => {
  it('adds nothing more to a dog that is deleted while it is imported', async () => {
    const from = await setUpTransfers('another');
    for (let note = 0; note < 250; note++) {
      await from.commands.addNote({ petId: from.petId, text: `Note ${note}` });
    }
    const { zip } = await from.exportAll();
    const device = await setUpTransfers();
    const opened = await device.transfers.openImport(zip);
    const deletions: Promise<unknown>[] = [];
    const onProgress = ({ done }: { readonly done: number }): void => {
      if (done === 0 || deletions.length > 0) return;
      const imported = device.database.pets.findOne({ selector: { id: { $ne: device.petId } } });
      deletions.push(imported.exec().then((pet) => device.commands.deletePet(pet?.id ?? '')));
    };
    const result = await opened.run({ ...unhurried, onProgress });
    await Promise.all(deletions);
    expect(result).toMatchObject({ pets: 1, known: 0 });
    expect(result.notes).toBeLessThan(250);
    expect((await contentOf(device)).entries).toEqual([]);
  });

  it('says whether this device may not know yet what was deleted', async () => {
    const device = await setUpTransfers();
    const { zip } = await device.exportAll();
    expect((await device.transfers.openImport(zip)).preview.isPartial).toBe(false);
    await writeRecord(device.store, checkpointId, emptyCheckpoint);
    expect((await device.transfers.openImport(zip)).preview.isPartial).toBe(true);
  });

  it('restores the entries too of a dog whose deletion is under way', async () => {
    const device = await setUpTransfers();
    const { petId } = device;
    await device.commands.addNote({ petId, text: 'Ducks' });
    const { zip } = await device.exportAll();
    await device.store.commit({
      records: [[`delete-pet:${petId}`, { kind: 'delete-pet', petId }]],
    });
    const result = await (await device.transfers.openImport(zip)).run(unhurried);
    expect(result).toMatchObject({ pets: 1, notes: 1, known: 0 });
    await runDeletePetJob(device.store, petId);
    const { pets, entries } = await contentOf(device);
    expect(pets).toHaveLength(1);
    expect(entries).toMatchObject([{ text: 'Ducks' }]);
  });
});
