import { expect, it } from 'vitest';
import { placeFile } from '../../schemas/local/place-file.ts';
import { writeRecord } from '../../store/change-documents.ts';
import { petVersion } from '../../tests/support/fixtures/file-records.ts';
import { change, clean } from '../../tests/support/setups/data-setup.ts';
import { setUpFiles } from '../../tests/support/setups/files-setup.ts';
import { bytesOf, onlyJob } from '../../tests/support/setups/test-outbox.ts';
import { readWorkLeft } from './work-left.ts';

it('counts a picture that was restored, before the outbox has it, but no file without a name', async () => {
  const { database, outbox, commands, store, petId } = await setUpFiles();
  await change(store, { collection: 'pets', id: petId }, clean(1));
  const fields = { profilePicturePath: `pets/${petId}/images/profile.jpg` };
  await writeRecord(store, 'version1', petVersion({ documentId: petId, fields }));
  await commands.restoreConflictVersion('version1');
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 1 });
  const note = { collection: 'entries', id: 'e1', petId, fields: {} } as const;
  await writeRecord(store, ...placeFile(note, 'e0', 1));
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 1 });
});

it('counts what waits and what is parked, documents and files, until the server has it', async () => {
  const { database, outbox, commands, files, store, petId } = await setUpFiles();
  const pet = { collection: 'pets', id: petId } as const;
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 1 });
  await change(store, pet, clean(1));
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 0 });

  const id = await commands.addNote({ petId, text: 'Ducks' });
  await files.setProfilePicture(petId, { bytes: bytesOf('dog'), contentType: 'image/jpeg' });
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 2 });
  const code = 'refused:permission-denied';
  await change(store, { collection: 'entries', id }, (note) => ({ ...note, pending: 2, code }));
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 2 });

  await outbox.queue.move(await onlyJob(outbox), { stage: 'done' });
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 1 });
  await outbox.keepUploadedPicture(await onlyJob(outbox));
  await change(store, { collection: 'entries', id }, clean(2));
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 0 });
});

it('counts a voice note once, from its owner’s decision until the server has its entry and its file', async () => {
  const { database, outbox, files, store, petId } = await setUpFiles();
  await change(store, { collection: 'pets', id: petId }, clean(1));
  const recording = await files.voice.begin({ petId, contentType: 'audio/webm' });
  await recording.append(bytesOf('ducks'), 60_000);
  await recording.finish(60_000);
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 0 });
  await files.voice.keep(recording.id);
  expect(await store.listPending('entries', 1, { afterId: '', limit: 9 })).toHaveLength(1);
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 1 });
  await change(store, { collection: 'entries', id: recording.id }, clean(2));
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 1 });
  await outbox.queue.move(await onlyJob(outbox), { stage: 'done' });
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 0 });
});

it('counts no note that was made and deleted offline', async () => {
  const { database, outbox, commands, store, petId } = await setUpFiles();
  await change(store, { collection: 'pets', id: petId }, clean(1));
  const id = await commands.addNote({ petId, text: 'Ducks' });
  await commands.deleteEntry(id);
  expect(await readWorkLeft(database, outbox)).toMatchObject({ count: 0 });
});

it('D11.8 a job is left until it is at rest', async () => {
  const { database, outbox, files, petId } = await setUpFiles();
  expect(await readWorkLeft(database, outbox)).toMatchObject({ hasFilesLeft: false });
  await files.setProfilePicture(petId, { bytes: bytesOf('dog'), contentType: 'image/jpeg' });
  expect(await readWorkLeft(database, outbox)).toMatchObject({ hasFilesLeft: true });
  await outbox.queue.move(await onlyJob(outbox), { stage: 'failed' });
  expect(await readWorkLeft(database, outbox)).toMatchObject({ hasFilesLeft: false });
});

it('D11.8 a file is left until its restored or moved document has it', async () => {
  const { database, outbox, store, petId } = await setUpFiles();
  const pet = { collection: 'pets', id: petId, petId: null, fields: {} } as const;
  const [id, job] = placeFile(pet, 'p0', 1);
  await writeRecord(store, id, job);
  expect(await readWorkLeft(database, outbox)).toMatchObject({ hasFilesLeft: true });
  await writeRecord(store, id, null);
  expect(await readWorkLeft(database, outbox)).toMatchObject({ hasFilesLeft: false });
});
