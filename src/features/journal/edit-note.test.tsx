import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  deferred,
  entryRow,
  fakeData,
  nothingUnsent,
  petRow,
  type FakeData,
} from '../../../tests/support/fakes/fake-data.ts';
import { writeInOtherTab } from '../../../tests/support/fakes/other-tab.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { version } from '../../../tests/support/setups/open-sheet.tsx';
import { CommandError, type Commands } from '../../data/commands/commands.ts';
import { editDraft } from '../../data/edit-draft.ts';
import { eraseDrafts, readDrafts, writeDraft } from '../../lib/draft.ts';

const path = '/pets/pet/notes/one';
const editPath = `${path}/action/edit`;

const dayMs = 24 * 60 * 60 * 1_000;

function dataWithNote(commands: Partial<Commands> = {}, formerTexts?: string): FakeData {
  const data = fakeData(commands);
  data.pets.set([petRow('pet', 'Bramble')]);
  const part = { text: 'Duks', ...(formerTexts !== undefined && { formerTexts }) };
  data.entries.set([entryRow('one', Date.now() - dayMs, part)]);
  return data;
}

function former(...texts: readonly string[]): string {
  return JSON.stringify(texts.map((text, index) => ({ text, untilMs: Date.now() - index })));
}

/** Returns the place of the draft that replaces a text of the note. */
const draftOver = (owner: string, text: string) => editDraft(owner, entryRow('one', 1, { text }));

describe('editing a note', () => {
  it('begins on the page of the note, and leads back to it', async () => {
    const editText = vi.fn<Commands['editText']>(() => Promise.resolve());
    const { user, path: here } = openApp({ path, data: dataWithNote({ editText }) });
    await user.click(await screen.findByRole('link', { name: 'Edit' }));
    expect(await screen.findByRole('heading', { name: 'Edit Note' })).toBeDefined();
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    expect(box.value).toBe('Duks');
    await user.clear(box);
    await user.type(box, ' Ducks');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(await screen.findByRole('link', { name: 'Edit' })).toBeDefined();
    expect(here()).toBe(path);
    expect(editText.mock.calls).toEqual([['one', 'Ducks']]);
  });

  it('describes the problem of a text, and keeps the text', async () => {
    const { user } = openApp({ path: editPath, data: dataWithNote() });
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    await user.clear(box);
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('Note is required')).toBeDefined();
    expect(document.activeElement).toBe(box);
    await user.click(box);
    await user.paste('x'.repeat(10_001));
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect(screen.getByText('A note can have at most 10,000 characters')).toBeDefined();
    expect(box.value).toHaveLength(10_001);
  });

  it('keeps the typed text over a reload, and forgets it once it is saved', async () => {
    const editText = vi.fn<Commands['editText']>(() => Promise.resolve());
    const first = openApp({ path: editPath, data: dataWithNote({ editText }) });
    await first.user.type(await screen.findByRole('textbox', { name: 'Note' }), '!');
    cleanup();
    const second = openApp({ path: editPath, data: dataWithNote({ editText }) });
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    expect(box.value).toBe('Duks!');
    await second.user.click(screen.getByRole('button', { name: 'Save' }));
    await vi.waitFor(() => expect(editText).toHaveBeenCalledWith('one', 'Duks!'));
    cleanup();
    openApp({ path: editPath, data: dataWithNote() });
    const again = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    expect(again.value).toBe('Duks');
  });

  it('keeps what is typed while it saves', async () => {
    const stored = deferred<undefined>();
    const data = dataWithNote({ editText: () => stored.promise });
    const { user, path: here } = openApp({ path: editPath, data });
    const box = await screen.findByRole('textbox', { name: 'Note' });
    await user.type(box, '!');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await user.type(box, ' And geese.');
    await act(async () => stored.resolve(undefined));
    await waitFor(() => expect(here()).not.toBe(editPath));
    expect(readDrafts(data.uid)).toEqual(['Duks! And geese.']);
  });

  it('keeps the typed text if the note is deleted in another tab, which removes the draft', async () => {
    const data = dataWithNote();
    const { user } = openApp({ path: editPath, data });
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    await user.type(box, ' And geese.');
    act(() => writeInOtherTab(draftOver(data.uid, 'Duks'), ''));
    act(() => data.entries.set([]));
    expect(screen.getByText(/deleted meanwhile/)).toBeDefined();
    expect(box.value).toBe('Duks And geese.');
  });

  it('does not put an edit that was left over a newer text', async () => {
    const data = dataWithNote();
    writeDraft(draftOver(data.uid, 'Duks'), 'Duks, half');
    act(() => data.entries.set([entryRow('one', Date.now() - dayMs, { text: 'Newer ducks' })]));
    const { goTo } = openApp({ path: editPath, data });
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    expect(box.value).toBe('Newer ducks');
    act(() => goTo('/pets/pet/notes/one'));
    const left = within(await screen.findByRole('region', { name: 'Your draft' }));
    expect(left.getByText('Duks, half')).toBeDefined();
    expect(screen.queryByText(/Edit shows it again/)).toBeNull();
    eraseDrafts(data.uid);
  });

  it('says when the note gets another text while it is edited, until that is the same', async () => {
    const data = dataWithNote();
    const { user } = openApp({ path: editPath, data });
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    const storeText = (text: string) =>
      act(() => data.entries.set([entryRow('one', Date.now() - dayMs, { text })]));
    storeText('Ducks');
    expect(screen.queryByRole('alert')).toBeNull();
    await user.type(box, '!');
    storeText('Ducks and geese');
    expect(screen.getByRole('alert').textContent).toMatch(/another text meanwhile/);
    expect(box.value).toBe('Ducks!');
    storeText('Ducks!');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('follows other devices again once another tab has saved the typed text', async () => {
    const data = dataWithNote();
    const { user } = openApp({ path: editPath, data });
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    await user.type(box, '! ');
    act(() => writeInOtherTab(draftOver(data.uid, 'Duks'), ''));
    const storeText = (text: string) =>
      act(() => data.entries.set([entryRow('one', Date.now() - dayMs, { text })]));
    storeText('Duks!');
    expect(box.value).toBe('Duks!');
    storeText('Ducks!');
    expect(box.value).toBe('Ducks!');
  });

  it('of another device is not undone by a save that changes nothing', async () => {
    const editText = vi.fn<Commands['editText']>(() => Promise.resolve());
    const data = dataWithNote({ editText });
    const { user, path: here } = openApp({ path: editPath, data });
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    act(() => data.entries.set([entryRow('one', Date.now() - dayMs, { text: 'Geese' })]));
    expect(box.value).toBe('Geese');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    await vi.waitFor(() => expect(here()).toBe('/pets/pet/profile'));
    expect(editText.mock.calls).toEqual([['one', 'Geese']]);
  });

  it('goes on with what another tab has typed over a text that this one gets later', async () => {
    const data = dataWithNote();
    const { user } = openApp({ path: editPath, data });
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    writeDraft(draftOver(data.uid, 'Geese'), 'Geese and swans');
    act(() => data.entries.set([entryRow('one', Date.now() - dayMs, { text: 'Geese' })]));
    await waitFor(() => expect(box.value).toBe('Geese and swans'));
    await user.type(box, '!');
    expect(readDrafts(data.uid)).toEqual(['Geese and swans!']);
  });

  it('keeps what is typed when another device changes the text', async () => {
    const data = dataWithNote();
    const { user } = openApp({ path: editPath, data });
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    await user.type(box, '!');
    act(() => data.entries.set([entryRow('one', Date.now() - dayMs, { text: 'Geese' })]));
    expect(box.value).toBe('Duks!');
    await user.clear(box);
    expect(box.value).toBe('');
  });

  it('leaves no draft of a text with other line ends that was changed and changed back', async () => {
    const data = dataWithNote();
    data.entries.set([entryRow('one', Date.now(), { text: 'one\r\ntwo' })]);
    const { user } = openApp({ path: editPath, data });
    await user.type(await screen.findByRole('textbox', { name: 'Note' }), '!');
    expect(localStorage).toHaveLength(1);
    await user.keyboard('{Backspace}');
    expect(localStorage).toHaveLength(0);
  });

  it('begins behind the last letter', async () => {
    const { user } = openApp({ path: editPath, data: dataWithNote() });
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    await user.keyboard(' on the pond');
    expect(box.value).toBe('Duks on the pond');
  });

  it('that was left without saving is told of on the page of the note', async () => {
    const edit = openApp({ path: editPath, data: dataWithNote() });
    await edit.user.type(await screen.findByRole('textbox', { name: 'Note' }), '!');
    cleanup();
    openApp({ path, data: dataWithNote() });
    expect(
      await screen.findByText(/^You have changed this text and not saved it yet/),
    ).toBeDefined();
  });

  it('says so when it could not be stored', async () => {
    const editText = () => Promise.reject(new CommandError('storage', 'This device is full.'));
    const { user } = openApp({ path: editPath, data: dataWithNote({ editText }) });
    const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
    await user.type(box, '!');
    await user.click(screen.getByRole('button', { name: 'Save' }));
    expect((await screen.findByRole('alert')).textContent).toBe('This device is full.');
    expect(box.value).toBe('Duks!');
    await user.clear(box);
  });

  it('keeps the typed text if the note is deleted meanwhile, as a new note on request', async () => {
    const addNote = vi.fn<Commands['addNote']>(() => Promise.resolve('new'));
    const data = dataWithNote({ addNote });
    const createdDate = data.entries.getSnapshot()[0]?.fields.createdDate;
    const { user, path: here } = openApp({ path: editPath, data });
    await user.type(await screen.findByRole('textbox', { name: 'Note' }), '!');
    act(() => data.entries.set([]));
    expect(screen.getByText(/This note was deleted meanwhile/u)).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Keep as a new note' }));
    await vi.waitFor(() => expect(here()).toBe('/pets/pet/profile'));
    expect(addNote.mock.calls).toMatchObject([[{ petId: 'pet', text: 'Duks!', createdDate }]]);
  });

  it.each(['before', 'after'])(
    'is a draft again if the tab that deletes the note removes the draft %s it',
    async (order) => {
      const data = dataWithNote();
      const [note] = data.entries.getSnapshot();
      if (note === undefined) throw new Error('no note');
      const { user } = openApp({ path: editPath, data });
      await user.type(await screen.findByRole('textbox', { name: 'Note' }), '!');
      const removeDraft = () => act(() => writeInOtherTab(editDraft('owner', note), ''));
      if (order === 'before') removeDraft();
      act(() => data.entries.set([]));
      if (order === 'after') removeDraft();
      expect(readDrafts('owner')).toEqual(['Duks!']);
    },
  );

  it('is not offered for a note of a newer version', async () => {
    const data = dataWithNote();
    data.entries.set([entryRow('one', Date.now(), { type: 'picture-note' })]);
    openApp({ path: editPath, data });
    expect(await screen.findByText('Written by a newer version of PawPals.')).toBeDefined();
    expect(screen.queryByRole('textbox', { name: 'Note' })).toBeNull();
  });
});

describe('an edited note', () => {
  it('says so in the journal and on its page; others do not', async () => {
    const data = dataWithNote({}, former('Dux'));
    const { user } = openApp({ path: '/pets/pet/profile', data });
    await user.click(await screen.findByRole('link', { name: 'Duks' }));
    expect(await screen.findByRole('button', { name: 'Edited. Former versions' })).toBeDefined();
    act(() => data.entries.set([entryRow('one', Date.now())]));
    expect(screen.queryByText('Edited')).toBeNull();
  });

  it('is marked in the journal', async () => {
    openApp({ path: '/pets/pet/profile', data: dataWithNote({}, former('Dux')) });
    expect(await screen.findByText('Edited')).toBeDefined();
  });

  it('shows the texts before, newest first, each to be restored', async () => {
    const editText = vi.fn<Commands['editText']>(async (id, text) => {
      const formerTexts = former('Duks', 'Dux');
      data.entries.set([entryRow(id, Date.now(), { text, formerTexts })]);
    });
    const data = dataWithNote({ editText }, former('Dux', 'Dks'));
    const { user } = openApp({ path, data });
    await user.click(await screen.findByRole('button', { name: 'Edited. Former versions' }));
    const list = within(await screen.findByRole('list', { name: 'Former versions' }));
    const [first, second] = list.getAllByRole('listitem');
    expect([first?.textContent, second?.textContent]).toEqual([
      expect.stringContaining('Dux'),
      expect.stringContaining('Dks'),
    ]);
    await user.click(list.getAllByRole('button', { name: 'Restore' })[1] ?? document.body);
    expect(await screen.findByText('The former text is back.')).toBeDefined();
    expect(editText.mock.calls).toEqual([['one', 'Dks']]);
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Former versions' }));
  });

  it('explains that former texts are kept for 30 days if there are none left', async () => {
    const { user } = openApp({ path, data: dataWithNote({}, '[]') });
    await user.click(await screen.findByRole('button', { name: 'Edited. Former versions' }));
    expect(await screen.findByText(/kept for 30 days/u)).toBeDefined();
  });
});

describe('another version of a note', () => {
  it('is offered on its page, and of no other note', async () => {
    const restoreConflictVersion = vi.fn<Commands['restoreConflictVersion']>(() =>
      Promise.resolve(),
    );
    const data = dataWithNote({ restoreConflictVersion });
    const other = { ...version, id: 'other', documentId: 'two', fields: { text: 'of another' } };
    data.overview.set({
      ...nothingUnsent,
      versions: [{ ...version, documentId: 'one', petId: 'pet' }, other],
    });
    const { user } = openApp({ path, data });
    const list = within(await screen.findByRole('list', { name: 'Other versions' }));
    expect(screen.getByRole('heading', { level: 2, name: 'Other versions' })).toBeDefined();
    expect(list.getByText('what I wrote')).toBeDefined();
    expect(list.queryByText('of another')).toBeNull();
    expect(list.queryByText(/Bramble/)).toBeNull();
    await user.click(list.getByRole('button', { name: 'Restore' }));
    expect(await screen.findByText('Restored.')).toBeDefined();
    expect(restoreConflictVersion).toHaveBeenCalledWith(version.id);
  });

  it('that has a recording can be exported there, with the recording', async () => {
    const data = dataWithNote();
    const spoken = { ...version, documentId: 'one', fields: { type: 'voice-note' } };
    data.overview.set({ ...nothingUnsent, versions: [spoken] });
    openApp({ path, data });
    expect(await screen.findByText('Use “Export unsent”.')).toBeDefined();
    expect(screen.getByRole('button', { name: 'Export unsent' })).toBeDefined();
    act(() =>
      data.overview.set({ ...nothingUnsent, versions: [{ ...version, documentId: 'one' }] }),
    );
    expect(await screen.findByRole('button', { name: 'Export' })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Export unsent' })).toBeNull();
  });
});
