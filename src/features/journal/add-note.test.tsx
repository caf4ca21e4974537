import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { deferred, fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { writeInOtherTab } from '../../../tests/support/fakes/other-tab.ts';
import { CommandError, type Commands } from '../../data/commands/commands.ts';
import { toastsAtom } from '../../platform/toasts.ts';

type AddNote = Commands['addNote'];

async function openAddNote(addNote: AddNote = async () => 'new') {
  const data = fakeData({ addNote });
  data.pets.set([petRow('pet', 'Bramble')]);
  const app = openApp({ path: '/pets/pet/actions/add-note', data });
  const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
  return { ...app, box, save: screen.getByRole('button', { name: 'Save' }) };
}

describe('adding a note', () => {
  it('counts up to 200 characters, as text boxes count', async () => {
    const { user, box } = await openAddNote();
    expect(document.activeElement).toBe(box);
    expect(screen.getByText('0 / 200')).toBeDefined();
    await user.type(box, 'Ducks 🦆');
    expect(screen.getByText('8 / 200')).toBeDefined();
    await user.paste('x'.repeat(10_000));
    expect(box.value).toHaveLength(200);
    expect(screen.getByText('200 / 200')).toBeDefined();
    expect(screen.getByText(/Only the beginning fits here/)).toBeDefined();
    box.select();
    await user.paste('y'.repeat(200));
    expect(box.value).toBe('y'.repeat(200));
    expect(screen.queryByText(/Only the beginning fits here/)).toBeNull();
  });

  it('says so too when a keyboard inserts more than fits', async () => {
    const { user, box } = await openAddNote();
    await user.type(box, 'x'.repeat(200));
    expect(screen.queryByText(/Only the beginning fits here/)).toBeNull();
    fireEvent.keyPress(box, { key: 'y', charCode: 121, which: 121 });
    expect(screen.getByText(/Only the beginning fits here/)).toBeDefined();
  });

  it('says so too when a composition ends that is longer', async () => {
    const { box } = await openAddNote();
    fireEvent.change(box, { target: { value: 'x'.repeat(200) } });
    expect(screen.queryByText(/Only the beginning fits here/)).toBeNull();
    fireEvent.change(box, { target: { value: 'x'.repeat(216) } });
    fireEvent.change(box, { target: { value: 'x'.repeat(200) } });
    expect(screen.getByText(/Only the beginning fits here/)).toBeDefined();
    fireEvent.change(box, { target: { value: 'x'.repeat(199) } });
    expect(screen.queryByText(/Only the beginning fits here/)).toBeNull();
  });

  it('saves once, trimmed, and leads back', async () => {
    const addNote = vi.fn<AddNote>(async () => 'new');
    const { user, box, save, path } = await openAddNote(addNote);
    await user.type(box, '  Ducks <b>at dawn</b> ');
    await user.dblClick(save);
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
    expect(addNote.mock.calls).toHaveLength(1);
    expect(addNote.mock.calls[0]?.[0]).toMatchObject({
      petId: 'pet',
      text: 'Ducks <b>at dawn</b>',
    });
    expect(localStorage).toHaveLength(0);
  });

  it.each([
    ['/pets', ['Note saved']],
    ['/pets/pet/notes/note', ['Note saved']],
    ['/pets/pet/profile', []],
  ])(
    'leads back to %s, and says what it did where the journal does not show it',
    async (from, told) => {
      const data = fakeData({ addNote: async () => 'new' });
      data.pets.set([petRow('pet', 'Bramble')]);
      const { user, store, history, path } = openApp({ path: from, data });
      act(() => history.push('/pets/pet/actions/add-note', { stepsBack: 1 }));
      await user.type(await screen.findByRole('textbox', { name: 'Note' }), 'Ducks');
      await user.click(screen.getByRole('button', { name: 'Save' }));
      await waitFor(() => expect(path()).toBe(from));
      await waitFor(() =>
        expect(store.get(toastsAtom).map(({ message }) => message)).toEqual(told),
      );
    },
  );

  it('keeps what is typed while it saves', async () => {
    const stored = deferred<string>();
    const { user, box, save, path } = await openAddNote(() => stored.promise);
    await user.type(box, 'one');
    await user.click(save);
    await user.type(box, ' two');
    await act(async () => stored.resolve('new'));
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
    cleanup();
    expect((await openAddNote()).box.value).toBe('two');
  });

  it.each(['', ' ', '\n\n'])('asks for words after %j', async (text) => {
    const { user, box, save } = await openAddNote();
    await user.click(box);
    await user.paste(text);
    await user.click(save);
    expect(screen.getByText('Note is required')).toBeDefined();
    expect(document.activeElement).toBe(box);
  });

  it('keeps the typed text over a reload', async () => {
    const { user, box } = await openAddNote();
    await user.type(box, 'half a thought');
    cleanup();
    const again = await openAddNote();
    expect(again.box.value).toBe('half a thought');
    await again.user.keyboard(' more');
    expect(again.box.value).toBe('half a thought more');
  });

  it('shows the text that is typed on the same page in another tab', async () => {
    const { user, box } = await openAddNote();
    await user.type(box, 'half a');
    act(() => writeInOtherTab({ owner: 'owner', name: 'pet.add-note' }, 'half a thought'));
    expect(box.value).toBe('half a thought');
  });

  it('says so when it could not be stored, and tries the same note again', async () => {
    const addNote = vi
      .fn<AddNote>()
      .mockRejectedValueOnce(new CommandError('storage', 'Full.'))
      .mockResolvedValueOnce('new');
    const { user, box, save, path } = await openAddNote(addNote);
    await user.type(box, 'Ducks');
    await user.click(save);
    expect((await screen.findByRole('alert')).textContent).toBe('Full.');
    expect(box.value).toBe('Ducks');
    await user.click(save);
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
    expect(addNote.mock.calls[1]).toEqual(addNote.mock.calls[0]);
  });
});
