import { describe, expect, it } from 'vitest';
import { change, clean } from '../../../tests/support/setups/data-setup.ts';
import { fetched } from '../../../tests/support/setups/files-setup.ts';
import { bytesOf, onlyJob } from '../../../tests/support/setups/test-outbox.ts';
import {
  addSpoken,
  contentOf,
  setUpTransfers,
  textIn,
  unhurried,
  type TransferDevice,
} from '../../../tests/support/setups/transfer-setup.ts';

const may = new Date(2026, 4, 3, 14, 5).getTime();

/** Adds two dogs, notes of every kind, a voice note and a picture, all unsent. */
async function fill(device: TransferDevice): Promise<void> {
  const { commands, petId } = device;
  await commands.updatePet(petId, { breed: 'Vizsla', dob: '2020-02-29', description: 'Fast.' });
  await device.files.setProfilePicture(petId, {
    bytes: bytesOf('a picture'),
    contentType: 'image/png',
  });
  const moss = await commands.createPet({ name: 'Moss / <b>"the" second</b> 🐕' });
  await commands.addNote({ petId, text: 'Found the ball', createdDate: may });
  await commands.addNote({ petId, text: '# not a heading\n\n🐾 مشى', createdDate: may + 1 });
  await commands.addNote({ petId: moss, text: 'Moss sat', createdDate: may + 86_400_000 });
  await addSpoken(device, 'a recording', may + 2);
}

describe('an export', () => {
  it('has an older picture where that of the dog cannot be had, and says so', async () => {
    const device = await setUpTransfers();
    const { store, petId, outbox } = device;
    await change(store, { collection: 'pets', id: petId }, ({ fields, ...pet }) => {
      const profilePicturePath = `pets/${petId}/images/profile.jpg`;
      return { ...pet, fields: { ...fields, profilePicturePath, profilePictureVersion: 'new' } };
    });
    await outbox.caches.keepPicture(petId, fetched('old'));
    device.download.mockRejectedValue(new Error('no answer'));
    for (const isOnline of [true, false]) {
      device.setOnline(isOnline);
      const { zip } = await device.exportAll();
      const { pets } = JSON.parse(await textIn(zip, 'pawpals.json'));
      const picture = { file: 'Bramble/picture.jpg', serverVersion: 'new', isOlder: true };
      expect(pets).toMatchObject([{ picture }]);
    }
  });

  it('imported by another owner on another device is equal, bytes and all', async () => {
    const from = await setUpTransfers();
    await fill(from);
    from.setOnline(false);
    const { zip, ...summary } = await from.exportAll();
    expect(summary).toMatchObject({ pets: 2, notes: 3, voiceNotes: 1, missingFiles: 0 });

    const to = await setUpTransfers('another');
    await to.commands.deletePet(to.petId);
    const opened = await to.transfers.openImport(zip);
    expect(opened.preview).toMatchObject({
      pets: 2,
      notes: 3,
      voiceNotes: 1,
      files: 2,
      known: 0,
      unreadable: 0,
      withoutPet: 0,
      unsaved: 0,
      isOtherAccount: true,
    });
    const result = await opened.run(unhurried);
    expect(result).toMatchObject({ pets: 2, notes: 3, voiceNotes: 1, known: 0 });
    expect(await contentOf(to)).toEqual(await contentOf(from));
    expect((await contentOf(to)).entries.map(({ sound }) => sound)).toContain('a recording');
    const rows = await to.database.journal_entries.find({ selector: { deleted: false } }).exec();
    expect(new Set(rows.map(({ ownerId }) => ownerId))).toEqual(new Set(['another']));
    const own = await from.database.journal_entries.find().exec();
    const ids = new Set(own.map(({ id }) => id));
    expect(rows.filter(({ id }) => ids.has(id))).toEqual([]);
    const jobs = await to.outbox.queue.list();
    expect(new Set(jobs.map(({ kind, stage }) => `${kind} ${stage}`))).toEqual(
      new Set(['profile-picture queued', 'voice-note queued']),
    );
    expect(jobs).toHaveLength(2);
  });

  it('imported twice is there once', async () => {
    const from = await setUpTransfers();
    await fill(from);
    const { zip } = await from.exportAll();
    for (const uid of ['owner', 'another']) {
      const to = await setUpTransfers(uid);
      await to.commands.deletePet(to.petId);
      await (await to.transfers.openImport(zip)).run(unhurried);
      const once = await contentOf(to);
      const jobs = await to.outbox.queue.list();
      const again = await to.transfers.openImport(zip);
      expect(again.preview).toMatchObject({ known: 6, returning: 0 });
      expect(await again.run(unhurried)).toMatchObject({
        pets: 0,
        notes: 0,
        voiceNotes: 0,
        known: 6,
      });
      expect(await contentOf(to)).toEqual(once);
      expect(await to.outbox.queue.list()).toEqual(jobs);
    }
  });

  it('brings nothing to where it came from, and changes nothing there', async () => {
    const device = await setUpTransfers();
    await fill(device);
    const { zip } = await device.exportAll();
    await device.commands.updatePet(device.petId, { name: 'Renamed since' });
    const before = await contentOf(device);
    const opened = await device.transfers.openImport(zip);
    expect(opened.preview).toMatchObject({ known: 6, returning: 0, isOtherAccount: false });
    await opened.run(unhurried);
    expect(await contentOf(device)).toEqual(before);
  });

  it('restores documents that were deleted since, once, and keeps their tombstones', async () => {
    const device = await setUpTransfers();
    await fill(device);
    const before = await contentOf(device);
    const { zip } = await device.exportAll();
    await device.commands.deletePet(device.petId);
    for (const [returning, known] of [
      [4, 2],
      [0, 6],
    ]) {
      const opened = await device.transfers.openImport(zip);
      expect(opened.preview).toMatchObject({ returning, known });
      await opened.run(unhurried);
    }
    const after = await contentOf(device);
    expect(after.pets).toEqual(before.pets);
    expect(after.entries).toEqual(before.entries);
    const stored = await device.store.get('pets', [device.petId]);
    expect(stored.get(device.petId)?.document.deleted).toBe(true);
  });

  it('finds the documents that Undo has restored', async () => {
    const device = await setUpTransfers();
    const noteId = await device.commands.addNote({ petId: device.petId, text: 'Ducks' });
    const { zip } = await device.exportAll();
    await (
      await device.commands.deleteEntry(noteId)
    )();
    const opened = await device.transfers.openImport(zip);
    expect(opened.preview).toMatchObject({ known: 2, returning: 0 });
  });

  it('keeps the stamps of edits, so that a merge keeps newer edits', async () => {
    const from = await setUpTransfers();
    const id = await from.commands.addNote({ petId: from.petId, text: 'Ducks' });
    await change(from.store, { collection: 'entries', id }, (entry) => ({
      ...clean(3)(entry),
      edits: { createdDate: 5, type: 5, text: 7 },
    }));
    const { zip } = await from.exportAll();
    const to = await setUpTransfers();
    await (await to.transfers.openImport(zip)).run(unhurried);
    const stored = (await to.store.get('entries', [id])).get(id)?.document;
    expect(stored).toMatchObject({ pending: 1, seq: null, edits: { type: 5, text: 7 } });
  });
});

it('an import keeps the words that a person gave a recording, and their stamps', async () => {
  const from = await setUpTransfers();
  const id = await addSpoken(from, 'a recording', may);
  await from.commands.editText(id, 'my words');
  const edits = { createdDate: 5, type: 5, text: 7, transcript: 8 };
  await change(from.store, { collection: 'entries', id }, (entry) => ({ ...entry, edits }));
  const { zip } = await from.exportAll();
  const to = await setUpTransfers();
  await (await to.transfers.openImport(zip)).run(unhurried);
  const stored = (await to.store.get('entries', [id])).get(id)?.document;
  expect(stored).toMatchObject({ fields: { text: 'my words', transcript: 'edited' }, edits });
  expect(await onlyJob(to.outbox)).toMatchObject({ entryId: id, stage: 'queued' });
});

describe('bytes that are not on this device', () => {
  async function withRemoteSound() {
    const device = await setUpTransfers();
    const id = await addSpoken(device, 'sent long ago', may);
    const [job] = await device.outbox.queue.list();
    if (job === undefined) throw new Error('no job');
    const path = job.objectName;
    await device.outbox.queue.discard(job);
    await change(device.store, { collection: 'entries', id }, (entry) =>
      clean(2)({ ...entry, fields: { ...entry.fields, fileLocation: path } }),
    );
    device.server.set(path, { ...fetched('sent long ago'), contentType: 'audio/webm' });
    return { device, path };
  }

  it('are fetched with a connection, and keep their caches as they are', async () => {
    const { device, path } = await withRemoteSound();
    const { zip, missingFiles } = await device.exportAll();
    expect(missingFiles).toBe(0);
    expect(await textIn(zip, 'Bramble/voice-notes/2026-05-03 14.05.webm')).toBe('sent long ago');
    expect(await device.outbox.caches.recording(path)).toBeNull();
  });

  it('are named without one, in the summary, the page and the list', async () => {
    const { device, path } = await withRemoteSound();
    device.setOnline(false);
    const { zip, missingFiles } = await device.exportAll();
    expect(missingFiles).toBe(1);
    expect(device.download).not.toHaveBeenCalled();
    expect(await textIn(zip, 'README.md')).toContain('Bramble, 3 May 2026');
    expect(await textIn(zip, 'Bramble/journal.md')).toContain('(not in this file)');
    expect(JSON.parse(await textIn(zip, 'pawpals.json'))).toMatchObject({
      entries: [{ recording: { file: null, serverPath: path } }],
    });
  });

  it('are not asked for again and again of a server that does not answer', async () => {
    const { device } = await withRemoteSound();
    for (let index = 0; index < 6; index += 1) {
      await addSpoken(device, 'on this device', may + index);
      const id = await device.commands.addNote({ petId: device.petId, text: `n ${index}` });
      const fileLocation = `pets/${device.petId}/audios/voice-note-${index}.webm`;
      await change(device.store, { collection: 'entries', id }, (entry) =>
        clean(3)({ ...entry, fields: { ...entry.fields, type: 'voice-note', fileLocation } }),
      );
    }
    device.download.mockRejectedValue(new Error('no answer'));
    const { missingFiles } = await device.exportAll();
    expect(missingFiles).toBe(7);
    expect(device.download).toHaveBeenCalledTimes(3);
  });

  it('stay where the server has them when their list comes home', async () => {
    const { device, path } = await withRemoteSound();
    device.setOnline(false);
    const { zip } = await device.exportAll();
    const home = await setUpTransfers();
    await (await home.transfers.openImport(zip)).run(unhurried);
    const [entry] = await home.database.journal_entries.find().exec();
    expect(entry?.fields.fileLocation).toBe(path);
    const stranger = await setUpTransfers('another');
    await (await stranger.transfers.openImport(zip)).run(unhurried);
    const [copied] = await stranger.database.journal_entries.find().exec();
    const fields = { type: 'voice-note', transcript: 'failed' };
    expect(copied?.toMutableJSON()).toMatchObject({ fields });
    expect(copied?.fields.fileLocation).toBeUndefined();
  });
});

describe('an export of unsent data', () => {
  it('is exported exactly, with its dogs and bytes', async () => {
    const device = await setUpTransfers();
    await fill(device);
    for (const collection of ['pets', 'entries'] as const) {
      for (const { document } of await device.store.listAll(collection, {
        afterId: '',
        limit: 99,
      })) {
        if (document.fields['text'] === 'Found the ball') continue;
        await change(device.store, { collection, id: document.id }, clean(1));
      }
    }
    const { zip, ...found } = await device.transfers.exportZip({ kind: 'unsent' }, unhurried);
    expect(found).toMatchObject({ pets: 1, notes: 1, voiceNotes: 1, missingFiles: 0 });
    expect(found.fileName).toMatch(/^pawpals-unsent-.*[.]zip$/);
    const to = await setUpTransfers('another');
    await (await to.transfers.openImport(zip)).run(unhurried);
    const { entries } = await contentOf(to);
    expect(new Set(entries.map(({ sound, text }) => sound ?? text))).toEqual(
      new Set(['Found the ball', 'a recording']),
    );
    expect(entries).toHaveLength(2);
  });

  it('has recordings that were cut off, and notes whose dog is gone', async () => {
    const device = await setUpTransfers();
    const { files, petId } = device;
    const cutOff = await files.voice.begin({ petId, contentType: 'audio/webm' });
    await cutOff.append(bytesOf('half a rec'), 2_000);
    await cutOff.finish(2_000);
    const strayId = await device.commands.addNote({ petId, text: 'A stray' });
    await change(device.store, { collection: 'entries', id: strayId }, (entry) => ({
      ...entry,
      petId: 'gone',
      pending: 2,
    }));
    for (const kind of ['unsent', 'everything'] as const) {
      const { zip, ...found } = await device.transfers.exportZip({ kind }, unhurried);
      expect(found).toMatchObject({ notes: 1, voiceNotes: 1, missingFiles: 0 });
      expect(await textIn(zip, 'Notes without a dog/journal.md')).toContain('A stray');
      const to = await setUpTransfers('another');
      const opened = await to.transfers.openImport(zip);
      expect(opened.preview).toMatchObject({ voiceNotes: 1, notes: 1, withoutPet: 1 });
      await opened.run(unhurried);
      const { pets, entries } = await contentOf(to);
      expect(pets.map(({ name }) => name)).toContain('Notes without a dog');
      expect(entries.map(({ sound, text }) => sound ?? text)).toEqual(
        expect.arrayContaining(['half a rec', 'A stray']),
      );
      expect(await (await to.transfers.openImport(zip)).run(unhurried)).toMatchObject({ notes: 0 });
      expect(await contentOf(to)).toEqual({ pets, entries });
    }
  });
});

describe('an import cut off', () => {
  const steps = Array.from({ length: 7 }, (_, index) => index);

  /** Returns the ids of voice notes whose recording is neither on the server nor queued. */
  async function silentVoiceNotes({ database, outbox }: TransferDevice) {
    const rows = await database.journal_entries
      .find({ selector: { 'fields.type': 'voice-note' } })
      .exec();
    const onTheWay = new Set((await outbox.queue.list()).map(({ entryId }) => entryId));
    const silent = rows.filter(
      (row) => row.fields.fileLocation === undefined && !onTheWay.has(row.id),
    );
    return silent.map(({ id }) => id);
  }

  it.each(steps)('at step %i is completed by another, with nothing doubled', async (step) => {
    const from = await setUpTransfers();
    await fill(from);
    await addSpoken(from, 'another recording', may + 3);
    const { zip } = await from.exportAll();
    const to = await setUpTransfers('another');
    await to.commands.deletePet(to.petId);
    let left = step;
    const mortal =
      <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
      async (...args: Args): Promise<Result> => {
        if (left === 0) throw new Error('killed');
        left -= 1;
        return work(...args);
      };
    const { store } = to;
    Object.assign(store, { commit: mortal(store.commit.bind(store)) });
    const opened = await to.transfers.openImport(zip);
    const isCutOff = await opened.run(unhurried).then(
      () => false,
      () => true,
    );
    expect(isCutOff).toBe(step < 5);
    expect(await silentVoiceNotes(to)).toEqual([]);
    left = Number.POSITIVE_INFINITY;
    await (await to.transfers.openImport(zip)).run(unhurried);
    expect(await contentOf(to)).toEqual(await contentOf(from));
  });

  it('stops when its owner cancels it, and tells its progress', async () => {
    const from = await setUpTransfers();
    for (let index = 0; index < 450; index += 1) {
      await from.commands.addNote({ petId: from.petId, text: `note ${index}` });
    }
    const progress: number[] = [];
    const { zip } = await from.transfers.exportZip(
      { kind: 'everything' },
      { ...unhurried, onProgress: ({ done }) => progress.push(done) },
    );
    expect(progress.at(-1)).toBe(450);
    const to = await setUpTransfers('another');
    const stopping = new AbortController();
    const opened = await to.transfers.openImport(zip);
    const run = opened.run({
      signal: stopping.signal,
      onProgress: ({ done, total }) => {
        expect(total).toBe(450);
        if (done >= 200) stopping.abort();
      },
    });
    await expect(run).rejects.toMatchObject({ cause: { name: 'AbortError' } });
    expect(await to.database.journal_entries.count().exec()).toBe(200);
  });
});

it('a page is for people: newest first, days as headings, files as links', async () => {
  const device = await setUpTransfers();
  await fill(device);
  const { zip } = await device.exportAll();
  const page = await textIn(zip, 'Bramble/journal.md');
  expect(page).toMatch(
    /^# Bramble\n\n!\[Picture\]\(picture\.png\)\n\nBreed: Vizsla {2}\nBorn: 2020-02-29\n\nFast\./,
  );
  expect(page).toMatch(/\n## Sunday,? 3 May 2026\n/);
  expect(page).toMatch(/\[Voice note, 0:04\]\(voice-notes\/2026-05-03%2014\.05\.webm\)/);
  expect(page.indexOf('Voice note')).toBeLessThan(page.indexOf('Found the ball'));
  expect(page).toContain('\\# not a heading\n\n🐾 مشى');
  expect(await textIn(zip, 'Moss b the second b/journal.md')).toContain('Moss sat');
});
