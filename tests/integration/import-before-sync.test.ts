import { expect, it } from 'vitest';
import type { LocalDocument } from '../../schemas/documents/document.ts';
import { isOutdated } from '../../replication/outbox/decide.ts';
import { mergeRemote } from '../../replication/documents/merge/merge.ts';
import { change, clean } from '../support/setups/data-setup.ts';
import { bytesOf, onlyJob } from '../support/setups/test-outbox.ts';
import {
  addSpoken,
  setUpTransfers,
  unhurried,
  type TransferDevice,
} from '../support/setups/transfer-setup.ts';

async function documentsOf({ store }: TransferDevice): Promise<readonly LocalDocument[]> {
  const page = { afterId: '', limit: 10 };
  const stored = [
    ...(await store.listAll('pets', page)),
    ...(await store.listAll('entries', page)),
  ];
  return stored.map(({ document }) => document).filter(({ deleted }) => !deleted);
}

/** Returns a device whose dog, picture and voice note the server has. */
async function syncedDevice(): Promise<TransferDevice> {
  const device = await setUpTransfers();
  const { store, outbox, petId } = device;
  const entryId = await addSpoken(device, 'a recording', 5);
  const { objectName, contentType } = await onlyJob(outbox);
  await change(store, { collection: 'entries', id: entryId }, (entry) =>
    clean(2)({
      ...entry,
      fields: { ...entry.fields, fileLocation: objectName, contentType },
      edits: { ...entry.edits, fileLocation: 7 },
    }),
  );
  await device.files.setProfilePicture(petId, {
    bytes: bytesOf('a picture'),
    contentType: 'image/jpeg',
  });
  const fields = {
    profilePicturePath: `pets/${petId}/images/profile.jpg`,
    profilePictureVersion: 'md5',
  };
  await change(store, { collection: 'pets', id: petId }, (pet) =>
    clean(1)({
      ...pet,
      fields: { ...pet.fields, ...fields },
      edits: { ...pet.edits, profilePicturePath: 8, profilePictureVersion: 8 },
    }),
  );
  return device;
}

async function importedElsewhere(from: TransferDevice): Promise<TransferDevice> {
  const { zip } = await from.exportAll();
  const to = await setUpTransfers();
  await to.commands.deletePet(to.petId);
  await (await to.transfers.openImport(zip)).run(unhurried);
  return to;
}

it('an import before the first sync makes no conflict versions, and keeps the files of the server', async () => {
  const from = await syncedDevice();
  const to = await importedElsewhere(from);
  const onServer = await documentsOf(from);
  const imported = await documentsOf(to);
  expect(imported).toHaveLength(2);
  for (const document of imported) {
    const sent = onServer.find(({ id }) => id === document.id);
    if (sent === undefined) throw new Error('not the same document');
    const { collection, id, petId, ownerId, fields, edits, deleted, seq } = sent;
    const identity = { collection, id, petId, ownerId, newerSchema: false };
    const remote = { ...identity, fields, edits, deleted, seq: seq ?? 0, updatedAtMs: 9 };
    const merged = mergeRemote(document, remote, 9);
    expect(merged.versions).toEqual([]);
    expect(merged.document).toMatchObject({ fields, pending: 0 });
  }
});

it('an import before the first sync sends a recording only if the server lacks it, and no picture over a newer one', async () => {
  const from = await syncedDevice();
  const [pet, entry] = await documentsOf(from);
  const { outbox } = await importedElsewhere(from);
  const jobs = await outbox.queue.list();
  const picture = jobs.find(({ kind }) => kind === 'profile-picture');
  const recording = jobs.find(({ kind }) => kind === 'voice-note');
  if (pet === undefined || picture === undefined) throw new Error('no picture');
  expect(recording).toMatchObject({
    stage: 'uploading',
    objectName: entry?.fields['fileLocation'],
  });
  expect(isOutdated(pet, picture)).toBe(false);
  const newer = { profilePicturePath: 9, profilePictureVersion: 9 };
  const later = { fields: { ...pet.fields, profilePictureVersion: 'other' }, edits: newer };
  expect(isOutdated({ ...pet, ...later }, picture)).toBe(true);
});
