import { expect, it, vi } from 'vitest';
import { fakeData } from '../../../tests/support/fakes/fake-data.ts';
import { CommandError, type Commands } from './commands.ts';
import { createLazyCommands } from './lazy-commands.ts';

it('loads once, before or with the first write', async () => {
  const addNote = vi.fn<Commands['addNote']>(async () => 'id');
  const load = vi.fn<() => Promise<Commands>>(async () => fakeData({ addNote }).commands);
  const commands = createLazyCommands(load);
  expect(load).not.toHaveBeenCalled();
  commands.preload();
  const note = { petId: 'pet', text: 'Ducks' };
  await Promise.all([commands.addNote(note), commands.addNote(note)]);
  expect(load).toHaveBeenCalledTimes(1);
  expect(addNote.mock.calls).toEqual([[note], [note]]);
});

it('fails with a sentence when the code does not come, and tries again with the next write', async () => {
  const load = vi
    .fn<() => Promise<Commands>>()
    .mockRejectedValueOnce(new TypeError('Failed to fetch'))
    .mockResolvedValue(fakeData({ deleteEntry: async () => async () => undefined }).commands);
  const commands = createLazyCommands(load);
  await expect(commands.deleteEntry('one')).rejects.toEqual(
    new CommandError('storage', 'Something went wrong.'),
  );
  await expect(commands.deleteEntry('one')).resolves.toBeTypeOf('function');
});
