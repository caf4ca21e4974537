import { expect, it, vi } from 'vitest';
import { cachedPictureId } from '../../../schemas/local/file-bytes.ts';
import { change } from '../../../tests/support/setups/data-setup.ts';
import { bytesOf, onlyJob } from '../../../tests/support/setups/test-outbox.ts';
import {
  addSpoken,
  contentOf,
  endUploads,
  setUpTransfers,
  unhurried,
} from '../../../tests/support/setups/transfer-setup.ts';

it('an import brings back a recording whose bytes this device has lost, and replaces none that it has', async () => {
  const device = await setUpTransfers();
  await addSpoken(device, 'ducks', 5);
  const { zip } = await device.exportAll();
  const importAgain = async () => (await device.transfers.openImport(zip)).run(unhurried);
  const job = await onlyJob(device.outbox);
  expect(await importAgain()).toMatchObject({ lostFiles: 0 });
  expect(await onlyJob(device.outbox)).toEqual(job);

  await device.outbox.queue.discard(job);
  const lost = { ...job, stage: 'failed', code: 'bytes-missing' } as const;
  await device.store.commit({ jobs: [{ from: null, to: lost }] });
  expect((await contentOf(device)).entries).toMatchObject([{ sound: null }]);
  const counts = { known: 2, voiceNotes: 0, lostFiles: 1, unreadableFiles: 0 };
  expect(await importAgain()).toMatchObject(counts);
  expect((await contentOf(device)).entries).toMatchObject([{ sound: 'ducks' }]);
  expect(await onlyJob(device.outbox)).toMatchObject({ stage: 'queued', code: null });
});

it('an import brings back the files that documents name, under the same names, where this device has lost them', async () => {
  const device = await setUpTransfers();
  const { store, outbox, petId, files } = device;
  await addSpoken(device, 'ducks', 5);
  const { objectName: sound } = await onlyJob(outbox);
  await files.setProfilePicture(petId, { bytes: bytesOf('face'), contentType: 'image/jpeg' });
  await endUploads(device);
  const whole = await contentOf(device);
  const { zip } = await device.exportAll();
  const importAgain = async () => (await device.transfers.openImport(zip)).run(unhurried);

  const lost = [sound, cachedPictureId(petId)];
  await store.commit({ bytes: lost.map((id) => [id, null]) });
  const counts = { pets: 0, voiceNotes: 0, known: 2, otherVersions: 0, lostFiles: 2 };
  expect(await importAgain()).toMatchObject(counts);
  expect(await contentOf(device)).toEqual(whole);
  const jobs = await outbox.queue.list();
  const stages = Object.fromEntries(jobs.map(({ objectName, stage }) => [objectName, stage]));
  expect(stages).toEqual({ [sound]: 'uploading', [`pets/${petId}/images/profile.jpg`]: 'queued' });
  expect(await importAgain()).toMatchObject({ lostFiles: 0 });
  expect(await outbox.queue.list()).toEqual(jobs);
});

it('an import brings back the recording of an entry under the dog that the entry has been moved to', async () => {
  const device = await setUpTransfers();
  const { store, outbox, commands } = device;
  const id = await addSpoken(device, 'ducks', 5);
  const { zip } = await device.exportAll();
  await endUploads(device);
  const petId = await commands.createPet({ name: 'Moss' });
  const fileLocation = `pets/${petId}/audios/voice-note-5.webm`;
  await change(store, { collection: 'entries', id }, (entry) => ({
    ...entry,
    petId,
    fields: { ...entry.fields, fileLocation },
  }));
  await (await device.transfers.openImport(zip)).run(unhurried);
  expect(await onlyJob(outbox)).toMatchObject({ petId, objectName: fileLocation });
});

it('an import onto an empty device reads no list of jobs for each recording, which would take ever longer', async () => {
  const source = await setUpTransfers();
  for (const text of ['ducks', 'geese', 'swans']) await addSpoken(source, text, 5);
  const { zip } = await source.exportAll();
  const device = await setUpTransfers();
  const query = vi.spyOn(device.database.local.storageInstance, 'query');
  const opened = await device.transfers.openImport(zip);
  expect(await opened.run(unhurried)).toMatchObject({ voiceNotes: 3 });
  const listsOfJobs = () =>
    query.mock.calls.filter((asked) => JSON.stringify(asked).includes('outbox-job')).length;
  expect(listsOfJobs()).toBe(0);
  await device.outbox.queue.list();
  expect(listsOfJobs()).toBe(1);
});

it.each(['done', 'edited'] as const)(
  'a recording that an import brings before its owner keeps it gets the words then, %s',
  async (transcript) => {
    const device = await setUpTransfers();
    const { files, petId } = device;
    const recording = await files.voice.begin({ petId, contentType: 'audio/webm;codecs=opus' });
    await recording.append(bytesOf('quack'), 2_000);
    await recording.finish(2_000);
    const { zip } = await device.exportAll();
    await (await device.transfers.openImport(zip)).run(unhurried);
    await files.voice.keep(recording.id, { text: 'Ducks', transcript });
    const spoken = { sound: 'quack', text: 'Ducks', transcript };
    expect((await contentOf(device)).entries).toMatchObject([spoken]);
    await files.voice.keep(recording.id, { text: 'Quack', transcript: 'done' });
    expect((await contentOf(device)).entries).toMatchObject([spoken]);
  },
);

it('O4.9 an import that brings a lost recording keeps the request for a new transcript', async () => {
  const device = await setUpTransfers();
  const id = await addSpoken(device, 'sound', 5);
  await endUploads(device);
  await device.commands.editText(id, 'Wend a way');
  const { zip } = await device.exportAll();
  const [entry] = await device.database.journal_entries.find().exec();
  const spoken = entry?.toMutableJSON();
  if (spoken === undefined) throw new Error('The entry is gone');
  await device.store.commit({ bytes: [[spoken.fields.fileLocation ?? '', null]] });
  await device.files.voice.retranscribe(spoken);
  await (await device.transfers.openImport(zip)).run(unhurried);
  const replacesStamp = spoken.edits['text'];
  expect(await device.outbox.queue.ofEntry(id)).toMatchObject({
    stage: 'uploading',
    replacesStamp,
  });
});
