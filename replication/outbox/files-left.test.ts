import { expect, it } from 'vitest';
import { placeFile } from '../../schemas/local/place-file.ts';
import { writeRecord } from '../../store/change-documents.ts';
import { setUpFiles } from '../../tests/support/setups/files-setup.ts';
import { bytesOf, onlyJob } from '../../tests/support/setups/test-outbox.ts';
import { hasFilesLeft } from './files-left.ts';

it('D11.8 a job is left until it is at rest', async () => {
  const { database, outbox, files, petId } = await setUpFiles();
  expect(await hasFilesLeft(database, outbox)).toBe(false);
  await files.setProfilePicture(petId, { bytes: bytesOf('dog'), contentType: 'image/jpeg' });
  expect(await hasFilesLeft(database, outbox)).toBe(true);
  await outbox.queue.move(await onlyJob(outbox), { stage: 'failed' });
  expect(await hasFilesLeft(database, outbox)).toBe(false);
});

it('D11.8 a file is left until its restored or moved document has it', async () => {
  const { database, outbox, store, petId } = await setUpFiles();
  const pet = { collection: 'pets', id: petId, petId: null, fields: {} } as const;
  const [id, job] = placeFile(pet, 'p0', 1);
  await writeRecord(store, id, job);
  expect(await hasFilesLeft(database, outbox)).toBe(true);
  await writeRecord(store, id, null);
  expect(await hasFilesLeft(database, outbox)).toBe(false);
});
