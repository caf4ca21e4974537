import { describe, expect, it, vi } from 'vitest';
import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { md5Of } from '../../../tests/support/fakes/memory-remote-files.ts';
import { change, clean } from '../../../tests/support/setups/data-setup.ts';
import { fetched } from '../../../tests/support/setups/files-setup.ts';
import { bytesOf, onlyJob } from '../../../tests/support/setups/test-outbox.ts';
import {
  contentOf,
  setUpTransfers,
  unhurried,
  type TransferDevice,
} from '../../../tests/support/setups/transfer-setup.ts';

async function importInto({ transfers }: TransferDevice, zip: Blob) {
  return (await transfers.openImport(zip)).run(unhurried);
}

/** Returns the records of the other versions on a device. */
async function versionsOn({ store }: TransferDevice) {
  return [...(await store.listRecords('conflict-version')).entries()];
}

/** Signs in on a device that has what the server has of a device's dog and entries. */
async function signInAgain({ store, petId }: TransferDevice, entryIds: readonly string[] = []) {
  const there = await setUpTransfers();
  await there.commands.deletePet(there.petId);
  const pets = await store.get('pets', [petId]);
  const entries = await store.get('entries', entryIds);
  for (const { document } of [...pets.values(), ...entries.values()])
    await there.store.commit({ swaps: [{ from: null, to: document }] });
  return there;
}

describe('an import of a text that was not sent', () => {
  async function unsentText() {
    const from = await setUpTransfers();
    const { commands, petId, store } = from;
    const id = await commands.addNote({ petId, text: 'as the server has it' });
    await change(store, { collection: 'pets', id: petId }, clean(1));
    const edits = { createdDate: 5, type: 5, text: 5 };
    await change(store, { collection: 'entries', id }, (entry) => clean(2)({ ...entry, edits }));
    const to = await signInAgain(from, [id]);
    await commands.editText(id, 'never sent');
    await commands.updatePet(petId, { breed: 'Vizsla' });
    const { zip } = await from.transfers.exportZip({ kind: 'unsent' }, unhurried);
    return { id, to, zip };
  }

  it('keeps it as another version, once, which its owner can restore', async () => {
    const { to, zip } = await unsentText();
    expect(await importInto(to, zip)).toMatchObject({ notes: 0, known: 2, otherVersions: 2 });
    expect(await importInto(to, zip)).toMatchObject({ notes: 0, known: 2, otherVersions: 0 });
    const versions = await versionsOn(to);
    expect(versions.map(([, { fields }]) => fields)).toEqual(
      expect.arrayContaining([{ breed: 'Vizsla' }, { text: 'never sent' }]),
    );
    expect(versions).toHaveLength(2);
    const { entries, pets } = await contentOf(to);
    expect(entries).toMatchObject([{ text: 'as the server has it' }]);
    expect(pets).toMatchObject([{ breed: undefined }]);
    for (const [id] of versions) await to.commands.restoreConflictVersion(id);
    const { entries: restored, pets: dogs } = await contentOf(to);
    expect([restored, dogs]).toMatchObject([[{ text: 'never sent' }], [{ breed: 'Vizsla' }]]);
    expect(await importInto(to, zip)).toMatchObject({ otherVersions: 0 });
  });

  /** Edits the text and the breed, with later stamps than those of the file. */
  async function editLater({ commands, petId, store }: TransferDevice, id: string) {
    const later = (name: string, value: string) => (document: LocalDocument) => ({
      ...document,
      fields: { ...document.fields, [name]: value },
      edits: { ...document.edits, [name]: 9e15 },
    });
    await commands.editText(id, 'written elsewhere');
    await change(store, { collection: 'entries', id }, later('text', 'corrected elsewhere'));
    await change(store, { collection: 'pets', id: petId }, later('breed', 'Pointer'));
  }

  it('keeps it although the one here was edited later, once', async () => {
    const { id, to, zip } = await unsentText();
    await editLater(to, id);
    expect(await importInto(to, zip)).toMatchObject({ known: 2, otherVersions: 2 });
    expect(await importInto(to, zip)).toMatchObject({ known: 2, otherVersions: 0 });
    expect((await versionsOn(to)).map(([, { fields }]) => fields)).toEqual(
      expect.arrayContaining([{ breed: 'Vizsla' }, { text: 'never sent' }]),
    );
  });

  it('keeps none of a text that the note has among its former ones', async () => {
    const { id, to, zip } = await unsentText();
    await to.commands.editText(id, 'never sent');
    await editLater(to, id);
    expect(await importInto(to, zip)).toMatchObject({ otherVersions: 1 });
    expect((await versionsOn(to)).map(([, { fields }]) => fields)).toEqual([{ breed: 'Vizsla' }]);
  });

  it('keeps one of a former text that is no longer shown', async () => {
    const { id, to, zip } = await unsentText();
    const formerTexts = JSON.stringify([{ text: 'never sent', untilMs: 5 }]);
    await editLater(to, id);
    await change(to.store, { collection: 'entries', id }, (entry) => ({
      ...entry,
      fields: { ...entry.fields, formerTexts },
    }));
    expect(await importInto(to, zip)).toMatchObject({ otherVersions: 2 });
  });
});

it('an import of texts that the server had keeps none that is earlier than the one here', async () => {
  const from = await setUpTransfers();
  const { commands, petId } = from;
  const id = await commands.addNote({ petId, text: 'long ago' });
  for (const target of [
    { collection: 'pets', id: petId },
    { collection: 'entries', id },
  ] as const)
    await change(from.store, target, clean(1));
  const to = await signInAgain(from, [id]);
  const { zip } = await from.exportAll();
  await to.commands.editText(id, 'now');
  await to.commands.updatePet(petId, { name: 'Bram' });
  expect(await importInto(to, zip)).toMatchObject({ known: 2, otherVersions: 0 });
  expect(await versionsOn(to)).toEqual([]);
});

describe('an import of the picture of a dog that has another one', () => {
  const md5 = md5Of(bytesOf('never sent'));

  async function withPicture(profilePictureVersion: string) {
    const from = await setUpTransfers();
    const { petId } = from;
    const profilePicturePath = `pets/${petId}/images/profile.jpg`;
    await change(from.store, { collection: 'pets', id: petId }, ({ fields, ...pet }) =>
      clean(1)({ ...pet, fields: { ...fields, profilePicturePath, profilePictureVersion } }),
    );
    from.setOnline(false);
    return from;
  }

  it('keeps one that was not sent as another version, which its owner can restore', async () => {
    const from = await withPicture('before');
    const { petId, files } = from;
    await files.setProfilePicture(petId, {
      bytes: bytesOf('never sent'),
      contentType: 'image/jpeg',
    });
    const { zip } = await from.transfers.exportZip({ kind: 'unsent' }, unhurried);
    const to = await signInAgain(from);
    expect(await importInto(to, zip)).toMatchObject({ known: 1, otherVersions: 1 });
    expect(await to.outbox.queue.list()).toEqual([]);
    expect(await to.outbox.caches.version({ petId, md5 })).toMatchObject({
      bytes: bytesOf('never sent'),
    });
    for (const [id] of await versionsOn(to)) await to.commands.restoreConflictVersion(id);
    expect((await contentOf(to)).pets).toMatchObject([{ picture: 'never sent' }]);
  });

  it('gives the version of another account the time of its file, so that each import makes the same one', async () => {
    const from = await setUpTransfers('another');
    await from.files.setProfilePicture(from.petId, {
      bytes: bytesOf('never sent'),
      contentType: 'image/jpeg',
    });
    const chosen = { profilePicturePath: 5 };
    await change(from.store, { collection: 'pets', id: from.petId }, (pet) => ({
      ...pet,
      edits: { ...pet.edits, ...chosen },
    }));
    const { zip } = await from.exportAll();
    const to = await setUpTransfers();
    await importInto(to, zip);
    const selector = { id: { $ne: to.petId } };
    const [imported] = await to.database.pets.find({ selector }).exec();
    const id = imported?.id ?? '';
    const fields = { profilePicturePath: `pets/${id}/images/profile.jpg` };
    await change(to.store, { collection: 'pets', id }, (pet) => ({
      ...pet,
      fields: { ...pet.fields, ...fields, profilePictureVersion: 'another' },
    }));
    await to.outbox.queue.end(await onlyJob(to.outbox));
    expect(await importInto(to, zip)).toMatchObject({ otherVersions: 1 });
    expect((await versionsOn(to)).map(([, { edits }]) => edits)).toMatchObject([chosen]);
  });

  it.each([
    ['an older one', 'newer', 'older'],
    ['one that the server had', md5, 'never sent'],
  ])('keeps none of %s', async (_, version, cached) => {
    const from = await withPicture(version);
    const { petId, outbox } = from;
    await outbox.caches.keepPicture(petId, fetched(cached));
    const { zip } = await from.exportAll();
    const to = await signInAgain(from);
    await change(to.store, { collection: 'pets', id: petId }, (pet) => ({
      ...pet,
      fields: { ...pet.fields, profilePictureVersion: 'another' },
    }));
    expect(await importInto(to, zip)).toMatchObject({ known: 1, otherVersions: 0 });
    expect(await versionsOn(to)).toEqual([]);
  });
});

it('an import leaves a picture that its owner chooses while the file is read', async () => {
  const device = await setUpTransfers();
  const { files, outbox, petId } = device;
  const choose = (text: string) =>
    files.setProfilePicture(petId, { bytes: bytesOf(text), contentType: 'image/jpeg' });
  await choose('old');
  const { zip } = await device.exportAll();
  await outbox.dropPicture(await onlyJob(outbox));
  const plan = files.archive.planPicture.bind(files.archive);
  vi.spyOn(files.archive, 'planPicture').mockImplementationOnce(async (picture) => {
    await choose('new');
    return plan(picture);
  });
  expect(await importInto(device, zip)).toMatchObject({ known: 1, otherVersions: 0 });
  expect((await contentOf(device)).pets).toMatchObject([{ picture: 'new' }]);
});
