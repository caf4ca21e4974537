import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { deferred, entryRow, fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { longText, oddTexts } from '../../../tests/support/fixtures/odd-texts.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import type { Commands, NewNote, UndoDelete } from '../../data/commands/commands.ts';

const profile = '/pets/pet/profile';

function open(path: string, commands: Partial<Commands> = {}) {
  const notes: NewNote[] = [];
  const data = fakeData({
    addNote: async (note) => {
      notes.push(note);
      return 'new';
    },
    ...commands,
  });
  data.pets.set([petRow('pet', 'Bramble')]);
  data.entries.set([entryRow('one', 1)]);
  return { ...openApp({ path, data }), notes };
}

const box = (name: string) => screen.findByRole<HTMLTextAreaElement>('textbox', { name });

describe('the composer', () => {
  it.each(['', '   ', '\n\t\n'])(
    'sends nothing of %j, neither by key nor by button',
    async (text) => {
      const { user, notes } = open(profile);
      const composer = await box('Write a note');
      await user.click(composer);
      await user.paste(text);
      await user.type(composer, '{Enter}');
      expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
      expect(notes).toEqual([]);
    },
  );

  it.each([...Object.values(oddTexts), longText])('sends %.30j as it is', async (text) => {
    const { user, notes } = open(profile);
    const composer = await box('Write a note');
    await user.click(composer);
    await user.paste(` ${text}\n`);
    await user.keyboard('{Enter}');
    await waitFor(() => expect(notes.map((note) => note.text)).toEqual([text]));
    const list = screen.getByRole('list', { name: 'Journal' });
    expect(list.textContent).toContain(text.slice(0, 200));
    expect(document.querySelector('script, img[src=x]')).toBeNull();
    expect(composer.value).toBe('');
  });

  it('keeps a note that is too long, says so, and sends it after it was shortened', async () => {
    const { user, notes } = open(profile);
    const composer = await box('Write a note');
    await user.click(composer);
    await user.paste(`${longText}y`);
    await user.keyboard('{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('A note can have at most 10,000 characters');
    expect(composer.value).toHaveLength(10_001);
    expect(notes).toEqual([]);
    await user.keyboard('{Backspace}{Enter}');
    await waitFor(() => expect(notes).toHaveLength(1));
  });

  it('sends once, however often it is asked', async () => {
    const { user, notes } = open(profile);
    const composer = await box('Write a note');
    await user.type(composer, 'Ducks{Enter}{Enter}');
    await user.type(composer, 'Geese');
    await user.dblClick(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(notes.map(({ text }) => text)).toEqual(['Ducks', 'Geese']));
  });

  it('sends once over a step back and one forward', async () => {
    const stored = deferred<string>();
    const notes: NewNote[] = [];
    const app = open(profile, {
      addNote: (note) => {
        notes.push(note);
        return stored.promise;
      },
    });
    act(() => app.goTo('/pets'));
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    act(() => app.history.back());
    await app.user.type(await box('Write a note'), 'Ducks{Enter}');
    act(() => app.history.forward());
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    act(() => app.history.back());
    expect((await box('Write a note')).value).toBe('');
    await act(async () => stored.resolve('new'));
    expect(new Set(notes.map(({ id }) => id)).size).toBe(1);
  });
});

describe('a note of its own page', () => {
  it.each(Object.values(oddTexts))('can be %j', async (text) => {
    const { user, notes, path } = open('/pets/pet/actions/add-note');
    await user.click(await box('Note'));
    await user.paste(text);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(path()).toBe(profile));
    expect(notes.map((note) => note.text)).toEqual([text]);
  });

  it.each(Object.values(oddTexts))('shows %j as it is written', async (text) => {
    const { data } = open('/pets/pet/notes/one');
    act(() => data.entries.set([entryRow('one', 1, { text })]));
    const shown = await screen.findByText(text, { collapseWhitespace: false });
    expect(shown.closest('[dir=auto]')).not.toBeNull();
  });
});

describe('deleting an entry', () => {
  it('is not asked about again while it takes long', async () => {
    const gone = deferred<UndoDelete>();
    const deleteEntry = vi.fn<Commands['deleteEntry']>(() => gone.promise);
    const { user } = open('/pets/pet/notes/one', { deleteEntry });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog');
    await user.click(within(dialog).getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    await act(async () => gone.resolve(async () => 'anew'));
    expect(deleteEntry).toHaveBeenCalledTimes(1);
    expect(await screen.findAllByText('Entry deleted')).toHaveLength(1);
  });

  it('is done once with two quick taps, and so is Undo', async () => {
    const gone = deferred<UndoDelete>();
    const undo = vi.fn<UndoDelete>(async () => 'anew');
    const deleteEntry = vi.fn<Commands['deleteEntry']>(() => gone.promise);
    const { user } = open('/pets/pet/notes/one', { deleteEntry });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog');
    await user.dblClick(within(dialog).getByRole('button', { name: 'Delete' }));
    await act(async () => gone.resolve(undo));
    expect(deleteEntry).toHaveBeenCalledTimes(1);
    await user.dblClick(await screen.findByRole('button', { name: 'Undo' }));
    expect(undo).toHaveBeenCalledTimes(1);
  });
});
