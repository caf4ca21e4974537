import { expect, it, vi } from 'vitest';
import { setUpData } from '../support/setups/data-setup.ts';
import { openCommands } from '../../src/app/services/open-commands.ts';

it('the deletion of a dog does not wait for its journal to go, and sync is told when it has gone', async () => {
  const { database, store } = await setUpData();
  const onWritten = vi.fn<() => void>();
  const ignored = () => undefined;
  const deps = {
    uid: 'owner',
    database,
    log: ignored,
    correctedNow: Date.now,
    onNoteKept: ignored,
  };
  const commands = openCommands({ ...deps, onWritten });
  const petId = await commands.createPet({ name: 'Bramble' });
  await commands.addNote({ petId, text: 'Ducks' });
  onWritten.mockClear();
  const isDeleted = async () => (await store.get('pets', [petId])).get(petId)?.document.deleted;
  await commands.deletePet(petId);
  expect(await isDeleted()).toBe(false);
  await vi.waitFor(() => expect(onWritten).toHaveBeenCalledTimes(2));
  expect(await isDeleted()).toBe(true);
});
