import { describe, expect, it, vi } from 'vitest';
import { placeFile } from '../../../schemas/local/place-file.ts';
import { writeRecord } from '../../../store/change-documents.ts';
import { md5Of } from '../../../tests/support/fakes/memory-remote-files.ts';
import { petVersion, pictureJob, voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import { change, clean } from '../../../tests/support/setups/data-setup.ts';
import { fetched } from '../../../tests/support/setups/files-setup.ts';
import { bytesOf, onlyJob, putJob } from '../../../tests/support/setups/test-outbox.ts';
import {
  addSpoken,
  contentOf,
  setUpTransfers,
  textIn,
  unhurried,
  type TransferDevice,
} from '../../../tests/support/setups/transfer-setup.ts';

/** Exports what is unsent without a connection, and imports it on another device. */
async function movedElsewhere(device: TransferDevice) {
  device.setOnline(false);
  const { zip, ...summary } = await device.transfers.exportZip({ kind: 'unsent' }, unhurried);
  const to = await setUpTransfers('another');
  await to.commands.deletePet(to.petId);
  await (await to.transfers.openImport(zip)).run(unhurried);
  return { summary, ...(await contentOf(to)) };
}

async function sendAll({ database, store }: TransferDevice): Promise<void> {
  const pets = await database.pets.find().exec();
  const entries = await database.journal_entries.find().exec();
  for (const { id } of pets) await change(store, { collection: 'pets', id }, clean(1));
  for (const { id } of entries) await change(store, { collection: 'entries', id }, clean(2));
}

describe('an export of unsent data has the file that is not placed yet', () => {
  const md5 = md5Of(bytesOf('the dog'));
  const version = {
    fields: {
      name: 'Rex',
      profilePicturePath: 'pets/rex/images/profile.jpg',
      profilePictureVersion: md5,
    },
    documentId: 'rex',
    reason: 'deleted',
  } as const;

  it('of a dog that was restored, whose picture is a conflict version or in the cache', async () => {
    for (const isCached of [false, true]) {
      const device = await setUpTransfers();
      const { commands, store, outbox } = device;
      await writeRecord(store, 'version1', petVersion(version));
      const picture = { petId: 'rex', md5 };
      if (isCached) await outbox.caches.keepPicture('rex', fetched('the dog'));
      else {
        await store.commit({ bytes: [outbox.caches.asVersion(picture, fetched('the dog'))] });
      }
      await commands.restoreConflictVersion('version1');
      await sendAll(device);
      const { summary, pets } = await movedElsewhere(device);
      expect(summary).toMatchObject({ pets: 1, missingFiles: 0 });
      expect(pets).toMatchObject([{ name: 'Rex', picture: 'the dog' }]);
    }
  });

  it('of a dog whose first picture the server never had, before and after it is restored', async () => {
    const device = await setUpTransfers();
    const { commands, store, transfers } = device;
    await writeRecord(store, 'version1', petVersion({ ...version, fields: { name: 'Rex' } }));
    await putJob(store, pictureJob('rex'), bytesOf('the dog'));
    await sendAll(device);
    const { zip } = await transfers.exportZip({ kind: 'unsent' }, unhurried);
    expect(await textIn(zip, 'Other versions/picture.jpg')).toBe('the dog');
    await commands.restoreConflictVersion('version1');
    const { summary, pets } = await movedElsewhere(device);
    expect(summary).toMatchObject({ pets: 1, missingFiles: 0 });
    expect(pets).toMatchObject([{ name: 'Rex', picture: 'the dog' }]);
  });

  it('of a dog whose former picture was restored, but none that was set since', async () => {
    const device = await setUpTransfers();
    const { commands, store, outbox, petId, files } = device;
    await outbox.caches.keepPicture(petId, fetched('shown now'));
    const fields = { profilePicturePath: `pets/${petId}/images/profile.jpg` };
    const old = { documentId: petId, fields: { ...fields, profilePictureVersion: md5 } };
    await writeRecord(store, 'version1', petVersion(old));
    const bytes = outbox.caches.asVersion({ petId, md5 }, fetched('the dog'));
    await store.commit({ bytes: [bytes] });
    await sendAll(device);
    await putJob(store, pictureJob(petId, { md5: 'before' }), bytesOf('chosen before'));
    await commands.restoreConflictVersion('version1');
    expect((await movedElsewhere(device)).pets).toMatchObject([{ picture: 'the dog' }]);
    await files.setProfilePicture(petId, { bytes: bytesOf('newer'), contentType: 'image/png' });
    expect((await movedElsewhere(device)).pets).toMatchObject([{ picture: 'newer' }]);
  });

  it('of a voice note that was moved to another dog', async () => {
    const device = await setUpTransfers();
    const { commands, store, outbox } = device;
    const moss = await commands.createPet({ name: 'Moss' });
    const [waits, sent] = [await addSpoken(device, 'waits', 5), await addSpoken(device, 'sent', 6)];
    const job = await outbox.queue.get(`voice-note:${sent}`);
    if (job === null) throw new Error('no job');
    await sendAll(device);
    await change(store, { collection: 'entries', id: sent }, (entry) => ({
      ...entry,
      fields: { ...entry.fields, fileLocation: job.objectName },
    }));
    await outbox.queue.end(job);
    for (const id of [waits, sent]) await commands.moveEntry(id, moss);
    const { summary, entries } = await movedElsewhere(device);
    expect(summary).toMatchObject({ pets: 2, voiceNotes: 2, missingFiles: 0 });
    expect(entries.map(({ sound }) => sound)).toEqual(['waits', 'sent']);
  });

  it('of a voice note whose move is sent, and whose file is not', async () => {
    const device = await setUpTransfers();
    const { commands, store, outbox } = device;
    const moss = await commands.createPet({ name: 'Moss' });
    const id = await addSpoken(device, 'sent', 5);
    const job = await onlyJob(outbox);
    await sendAll(device);
    const fileLocation = job.objectName;
    await change(store, { collection: 'entries', id }, (entry) => ({
      ...entry,
      fields: { ...entry.fields, fileLocation },
    }));
    await outbox.queue.end(job);
    await commands.moveEntry(id, moss);
    await sendAll(device);
    const { summary, entries } = await movedElsewhere(device);
    expect(summary).toMatchObject({ pets: 1, voiceNotes: 1, missingFiles: 0 });
    expect(entries).toMatchObject([{ sound: 'sent' }]);
  });
});

it.each(['offline', 'without an answer of the server'])(
  'an export %s lists the picture that is not placed yet',
  async (when) => {
    const device = await setUpTransfers();
    const { store, petId, download } = device;
    const fields = { profilePicturePath: 'pets/rex/images/profile.jpg' };
    const holder = { collection: 'pets', id: petId, petId: null, fields } as const;
    await store.commit({ records: [placeFile(holder, 'rex', 1)] });
    if (when === 'offline') device.setOnline(false);
    else download.mockRejectedValue(new Error('no answer'));
    const { zip, missingFiles } = await device.exportAll();
    expect(missingFiles).toBe(1);
    expect(await textIn(zip, 'README.md')).toContain('- Bramble, picture\n');
    expect(await textIn(zip, 'Bramble/journal.md')).toContain('Picture (not in this file)');
  },
);

it('an export has the files of versions that a merge did not choose, and lists those that it lacks', async () => {
  const device = await setUpTransfers();
  const { store, outbox, transfers } = device;
  device.setOnline(false);
  const md5 = md5Of(bytesOf('the other dog'));
  const picture = { petId: 'rex', md5 };
  const path = { profilePicturePath: 'pets/rex/images/profile.jpg' };
  const versions = {
    kept: petVersion({ documentId: 'rex', fields: { ...path, profilePictureVersion: md5 } }),
    lost: petVersion({ documentId: 'rex', fields: { ...path, profilePictureVersion: 'lost' } }),
    spoken: petVersion({
      collection: 'entries',
      documentId: 'e1',
      fields: { type: 'voice-note', text: 'Ducks' },
      reason: 'deleted',
    }),
  };
  for (const [id, version] of Object.entries(versions)) await writeRecord(store, id, version);
  await store.commit({ bytes: [outbox.caches.asVersion(picture, fetched('the other dog'))] });
  const job = voiceJob('e1', { petId: 'rex', code: 'entry-deleted' });
  await putJob(store, job, bytesOf('quack'));
  const { zip, missingFiles } = await transfers.exportZip({ kind: 'unsent' }, unhurried);
  expect(missingFiles).toBe(1);
  expect(await textIn(zip, 'Other versions/picture.jpg')).toBe('the other dog');
  expect(await textIn(zip, 'Other versions/voice-note.webm')).toBe('quack');
  const summary = await textIn(zip, 'README.md');
  expect(summary).toContain('Other versions/voice-note.webm');
  expect(summary).toContain('- Other versions, picture\n');
  const { otherVersions } = JSON.parse(await textIn(zip, 'pawpals.json'));
  expect(otherVersions).toMatchObject([
    { file: 'Other versions/picture.jpg' },
    { file: null },
    { file: 'Other versions/voice-note.webm', fields: { text: 'Ducks' } },
  ]);
});

it('an export lists a recording that is kept while it is made, with its words', async () => {
  const device = await setUpTransfers();
  const { petId, files } = device;
  const recording = await files.voice.begin({ petId, contentType: 'audio/webm' });
  await recording.append(bytesOf('whole'), 2_000);
  const readPicture = files.archive.picture.bind(files.archive);
  vi.spyOn(files.archive, 'picture').mockImplementationOnce(async (...picture) => {
    await recording.finish(2_000);
    await files.voice.keep(recording.id, { text: 'Typed words', transcript: 'edited' });
    return readPicture(...picture);
  });
  const { zip, ...contents } = await device.exportAll();
  expect(contents).toMatchObject({ voiceNotes: 1, missingFiles: 0 });
  expect(await textIn(zip, 'pawpals.json')).toContain('Typed words');
});

it('an export lists a recording that is finished while it is made with its whole length', async () => {
  const device = await setUpTransfers();
  const { petId, files } = device;
  const recording = await files.voice.begin({ petId, contentType: 'audio/webm' });
  await recording.append(bytesOf('whole'), 2_000);
  const readUnfinished = files.archive.unfinished.bind(files.archive);
  vi.spyOn(files.archive, 'unfinished').mockImplementationOnce(async () => {
    const found = await readUnfinished();
    await recording.finish(9_000);
    return found;
  });
  const { zip } = await device.exportAll();
  const { entries } = JSON.parse(await textIn(zip, 'pawpals.json'));
  expect(entries).toMatchObject([{ recording: { durationMs: 9_000 } }]);
});

it('an export of unsent data has what is recorded so far, in this tab or one that died; an import leaves a beginning out', async () => {
  const device = await setUpTransfers();
  const { files, petId, heldIds, outbox, transfers } = device;
  await sendAll(device);
  for (const text of ['in progress', 'cut off']) {
    const recording = await files.voice.begin({ petId, contentType: 'audio/webm' });
    await recording.append(bytesOf(text), 2_000);
    if (text === 'cut off') heldIds.delete(recording.id);
  }
  await files.voice.begin({ petId, contentType: 'audio/webm' });
  const finished = voiceJob('r1', { petId, stage: 'recorded' });
  await putJob(device.store, finished, bytesOf('finished'));
  const { summary, entries } = await movedElsewhere(device);
  expect(summary).toMatchObject({ pets: 1, voiceNotes: 2, missingFiles: 1 });
  const sounds = entries.map(({ sound }) => sound);
  expect(new Set(sounds)).toEqual(new Set(['cut off', 'finished']));
  const { zip } = await transfers.exportZip({ kind: 'unsent' }, unhurried);
  expect(await textIn(zip, 'README.md')).toMatch(
    /^- Bramble, .*, voice note: only its beginning$/m,
  );
  const page = await textIn(zip, 'Bramble/journal.md');
  const names = [...page.matchAll(/\((voice-notes.*)\)/g)].map(([, name = '']) => name);
  const exported = names.map((name) => textIn(zip, `Bramble/${decodeURIComponent(name)}`));
  expect(new Set(await Promise.all(exported))).toEqual(
    new Set(['in progress', 'cut off', 'finished']),
  );
  expect(await outbox.recordings.list()).toHaveLength(3);
});
