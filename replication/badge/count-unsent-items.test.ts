import { expect, it } from 'vitest';
import { change, clean } from '../../tests/support/setups/data-setup.ts';
import { setUpFiles } from '../../tests/support/setups/files-setup.ts';
import { bytesOf, onlyJob } from '../../tests/support/setups/test-outbox.ts';
import { countUnsentItems } from './count-unsent-items.ts';

it('counts what waits and what is parked, documents and files, until the server has it', async () => {
  const { database, outbox, commands, files, store, petId } = await setUpFiles();
  const pet = { collection: 'pets', id: petId } as const;
  expect(await countUnsentItems(database, outbox)).toBe(1);
  await change(store, pet, clean(1));
  expect(await countUnsentItems(database, outbox)).toBe(0);

  const id = await commands.addNote({ petId, text: 'Ducks' });
  await files.setProfilePicture(petId, { bytes: bytesOf('dog'), contentType: 'image/jpeg' });
  expect(await countUnsentItems(database, outbox)).toBe(2);
  const code = 'refused:permission-denied';
  await change(store, { collection: 'entries', id }, (note) => ({ ...note, pending: 2, code }));
  expect(await countUnsentItems(database, outbox)).toBe(2);

  await outbox.queue.move(await onlyJob(outbox), { stage: 'done' });
  expect(await countUnsentItems(database, outbox)).toBe(1);
  await outbox.keepUploadedPicture(await onlyJob(outbox));
  await change(store, { collection: 'entries', id }, clean(2));
  expect(await countUnsentItems(database, outbox)).toBe(0);
});
