import { describe, expect, it } from 'vitest';
import { checkpointId, emptyCheckpoint } from '../../../schemas/local/local-record.ts';
import { asDeleted } from '../../../schemas/documents/document.ts';
import { writeRecord } from '../../../store/change-documents.ts';
import { runDeletePetJob } from '../../../replication/documents/push/delete-pet-job.ts';
import { change, clean } from '../../../tests/support/setups/data-setup.ts';
import {
  addSpoken,
  contentOf,
  setUpTransfers,
  unhurried,
} from '../../../tests/support/setups/transfer-setup.ts';

/** Exports a note and a recording that were not sent before their dog was deleted elsewhere. */
async function exportStrays() {
  const device = await setUpTransfers();
  const { commands, petId, store } = device;
  const ids = [
    await commands.addNote({ petId, text: 'Ducks' }),
    await addSpoken(device, 'quack', 5),
  ];
  await change(store, { collection: 'pets', id: petId }, asDeleted);
  const { zip } = await device.transfers.exportZip({ kind: 'unsent' }, unhurried);
  return { device, zip, ids };
}

describe('an import of what was not sent before its dog was deleted elsewhere', () => {
  it('puts it under a dog for all of it', async () => {
    const { zip } = await exportStrays();
    const device = await setUpTransfers();
    const opened = await device.transfers.openImport(zip);
    expect(opened.preview).toMatchObject({ pets: 0, notes: 1, voiceNotes: 1, withoutPet: 2 });
    const contents = { pets: 1, notes: 1, voiceNotes: 1, known: 0 };
    expect(await opened.run(unhurried)).toMatchObject(contents);
    const { pets, entries } = await contentOf(device);
    expect(pets).toMatchObject([{ name: 'Bramble' }, { name: 'Notes without a dog' }]);
    expect(entries).toMatchObject([{ text: 'Ducks' }, { sound: 'quack' }]);
    const again = await device.transfers.openImport(zip);
    expect(again.preview).toMatchObject({ withoutPet: 0, known: 2 });
    expect(await again.run(unhurried)).toMatchObject({ pets: 0, notes: 0, voiceNotes: 0 });
  });

  it('keeps its text, and brings its sound back, where it has another dog by now', async () => {
    const { device, zip, ids } = await exportStrays();
    const { commands, store, outbox, transfers } = device;
    const moss = await commands.createPet({ name: 'Moss' });
    for (const id of ids) await commands.moveEntry(id, moss);
    const [noteId = ''] = ids;
    await change(store, { collection: 'entries', id: noteId }, (entry) => ({
      ...clean(3)(entry),
      fields: { ...entry.fields, text: 'Geese' },
      edits: { ...entry.edits, text: 9e15 },
    }));
    for (const job of await outbox.queue.list()) await outbox.queue.discard(job);
    const result = await (await transfers.openImport(zip)).run(unhurried);
    expect(result).toMatchObject({ pets: 0, otherVersions: 1, lostFiles: 1 });
    const [version] = (await store.listRecords('conflict-version')).values();
    expect(version).toMatchObject({ petId: moss, fields: { text: 'Ducks' } });
    expect((await contentOf(device)).entries).toContainEqual(
      expect.objectContaining({ sound: 'quack' }),
    );
  });
});

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
