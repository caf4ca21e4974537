import { act, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  entryRow,
  fakeData,
  petRow,
  type FakeData,
} from '../../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../../tests/support/setups/open-app.tsx';
import { CommandError, type UndoDelete } from '../../../data/commands/commands.ts';
import { editDraft } from '../../../data/edit-draft.ts';
import { eraseDrafts, readDraft, readDrafts, writeDraft } from '../../../lib/draft.ts';

const path = '/pets/pet/notes/one';

function dataWithNote(deleteEntry: (data: FakeData) => Promise<UndoDelete>): FakeData {
  const data: FakeData = fakeData({ deleteEntry: () => deleteEntry(data) });
  data.pets.set([petRow('pet', 'Bramble')]);
  data.entries.set([entryRow('one', Date.now(), { text: 'hello' })]);
  return data;
}

async function erase(data: FakeData): Promise<UndoDelete> {
  const before = data.entries.getSnapshot();
  data.entries.set([]);
  return async () => {
    data.entries.set(before);
    return 'one';
  };
}

describe('a note', () => {
  it('is deleted after a question, and leads to the profile if there is no way back', async () => {
    const { user, path: here } = openApp({ path, data: dataWithNote(erase) });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog', { name: 'Delete this entry?' });
    expect(dialog).toBeDefined();
    const [confirm] = screen
      .getAllByRole('button', { name: 'Delete' })
      .filter((button) => dialog.contains(button));
    await user.click(confirm ?? dialog);
    await screen.findByRole('textbox', { name: 'Write a note' });
    expect(here()).toBe('/pets/pet/profile');
  });

  it('is restored by Undo, which is offered again after a failure', async () => {
    let isRefused = true;
    const data = dataWithNote(async () => {
      const undo = await erase(data);
      return async () => {
        if (isRefused) throw new CommandError('storage', 'This device is full.');
        return undo();
      };
    });
    const { user } = openApp({ path, data });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await screen.findByText('Entry deleted');
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('This device is full.');
    isRefused = false;
    expect(data.entries.getSnapshot()).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    expect(await screen.findByText('hello')).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
  });

  it('takes the draft of its new text along, and Undo brings both back', async () => {
    const data = dataWithNote(async () => {
      const undo = await erase(data);
      return async () => {
        await undo();
        return 'anew';
      };
    });
    writeDraft(editDraft(data.uid, entryRow('one', 1, { text: 'hello' })), 'hello, ducks');
    writeDraft({ owner: data.uid, name: 'pet.edit.one.7' }, 'over an older text');
    const { user } = openApp({ path, data });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = within(await screen.findByRole('alertdialog'));
    await user.click(dialog.getByRole('button', { name: 'Delete' }));
    await screen.findByText('Entry deleted');
    expect(readDrafts(data.uid)).toEqual([]);
    await user.click(screen.getByRole('button', { name: 'Undo' }));
    await screen.findByText('hello');
    const anew = editDraft(data.uid, entryRow('anew', 1, { text: 'hello' }));
    await vi.waitFor(() => expect(readDraft(anew)).toBe('hello, ducks'));
    expect(readDraft({ owner: data.uid, name: 'pet.edit.anew.7' })).toBe('over an older text');
    eraseDrafts(data.uid);
  });

  it('shows the draft of its new text after it was deleted on another device, until it is discarded', async () => {
    const data = dataWithNote(erase);
    data.entries.set([]);
    writeDraft(editDraft(data.uid, entryRow('one', 1, { text: 'hello' })), 'hello, ducks');
    const { user } = openApp({ path, data });
    expect(await screen.findByText('hello, ducks')).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    await user.click(screen.getByRole('button', { name: 'Really discard' }));
    expect(screen.queryByText('hello, ducks')).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
    expect(readDrafts(data.uid)).toEqual([]);
  });

  it('does not call a text unsaved that was saved just before the page died', async () => {
    const data = dataWithNote(erase);
    const place = (name: string) => ({ owner: data.uid, name: `pet.edit.one.${name}` });
    writeDraft(place('7'), 'hello ');
    writeDraft(place('8'), 'hello, ducks');
    openApp({ path, data });
    await screen.findByText(/^This was not saved/);
    expect(screen.getByText('hello, ducks')).toBeDefined();
    expect(screen.getAllByText('hello')).toHaveLength(1);
    expect(readDrafts(data.uid)).toEqual(['hello, ducks']);
    eraseDrafts(data.uid);
  });

  it('has an edit that was left discarded after a question', async () => {
    const data = dataWithNote(erase);
    writeDraft(editDraft(data.uid, entryRow('one', 1, { text: 'hello' })), 'hello, ducks');
    const { user } = openApp({ path, data });
    expect(await screen.findByText(/Edit shows it again/)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Discard' }));
    expect(readDrafts(data.uid)).toEqual(['hello, ducks']);
    await user.click(screen.getByRole('button', { name: 'Really discard' }));
    expect(screen.queryByText(/Edit shows it again/)).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
    expect(readDrafts(data.uid)).toEqual([]);
  });

  it('stays when the question is answered with Cancel', async () => {
    const { user, data } = openApp({ path, data: dataWithNote(erase) });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(data.entries.getSnapshot()).toHaveLength(1);
  });

  it('leads one step back after it was opened from the journal', async () => {
    const data = dataWithNote(erase);
    const { user, path: here } = openApp({ path: '/pets/pet/profile', data });
    await user.click(await screen.findByRole('link', { name: 'hello' }));
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog');
    const confirm = [...dialog.querySelectorAll('button')].at(-1);
    await user.click(confirm ?? dialog);
    await screen.findByRole('textbox', { name: 'Write a note' });
    expect(here()).toBe('/pets/pet/profile');
  });

  it('says so when it could not be deleted', async () => {
    const refuse = () => Promise.reject(new CommandError('storage', 'This device is full.'));
    const { user } = openApp({ path, data: dataWithNote(refuse) });
    await user.click(await screen.findByRole('button', { name: 'Delete' }));
    const dialog = await screen.findByRole('alertdialog');
    await user.click([...dialog.querySelectorAll('button')].at(-1) ?? dialog);
    expect((await screen.findByRole('alert')).textContent).toBe('This device is full.');
    expect(screen.getByText('hello')).toBeDefined();
  });

  it('names its dog, and the day and minute it was written', async () => {
    const data = dataWithNote(erase);
    const written = new Date(2026, 2, 5, 7, 9).getTime();
    data.entries.set([entryRow('one', written, { text: 'hello' })]);
    openApp({ path, data });
    const time = await screen.findByText('5 March 2026 at 07:09');
    expect(time.getAttribute('datetime')).toBe(new Date(written).toISOString());
    expect(within(screen.getByRole('article')).getByText('Bramble')).toBeDefined();
  });

  it('says in words where it is', async () => {
    openApp({ path, data: dataWithNote(erase) });
    const state = await screen.findByText('In the cloud');
    expect(state.className).not.toContain('sr-only');
  });

  it('that another device deletes leaves the focus to the heading', async () => {
    const data = dataWithNote(erase);
    openApp({ path, data });
    (await screen.findByRole('link', { name: 'Edit' })).focus();
    act(() => data.entries.set([]));
    expect(screen.getByText('Journal entry not found')).toBeDefined();
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Note' }));
  });

  it('is missing only once everything was fetched', async () => {
    const data = fakeData();
    data.pets.set([petRow('pet', 'Bramble')]);
    data.fetchedOnce.set(false);
    openApp({ path, data });
    expect(await screen.findByText('Fetching this entry…')).toBeDefined();
    act(() => data.fetchedOnce.set(true));
    expect(screen.getByText('Journal entry not found')).toBeDefined();
  });

  it('that was restored under another id is found at its old address', async () => {
    const data = fakeData();
    data.pets.set([petRow('pet', 'Bramble')]);
    const restored = entryRow('one-restored', Date.now(), { text: 'hello' });
    data.fetchedOnce.set(false);
    const { path: here } = openApp({ path, data });
    expect(await screen.findByText('Fetching this entry…')).toBeDefined();
    act(() => {
      data.entries.set([restored]);
      data.fetchedOnce.set(true);
    });
    expect(await screen.findByText('hello')).toBeDefined();
    expect(here()).toBe('/pets/pet/notes/one-restored');
  });

  it('with an unknown dog shows the message about the dog, and leads to My Dogs', async () => {
    openApp({ path: '/pets/nope/notes/x' });
    expect(await screen.findByText('This dog is not on this device')).toBeDefined();
    expect(screen.queryByText('Journal entry not found')).toBeNull();
  });
});
