import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import type { NewNote } from '../../data/commands/commands.ts';
import { writeDraft } from '../../lib/draft.ts';
import { enterStartsLine } from '../../platform/storage/device-choice.ts';

const profile = '/pets/pet/profile';

async function openComposer() {
  const notes: NewNote[] = [];
  const data = fakeData({
    addNote: async (note) => {
      notes.push(note);
      return 'new';
    },
  });
  data.pets.set([petRow('pet', 'Bramble', { breed: 'Vizsla', dob: '2020-01-01' })]);
  const app = openApp({ path: profile, data });
  const box = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Write a note' });
  return { ...app, box, sent: () => notes.map(({ text }) => text) };
}

async function openLarger() {
  const app = await openComposer();
  await app.user.type(app.box, 'one');
  await app.user.click(screen.getByRole('button', { name: 'Write larger' }));
  const dialog = await screen.findByRole('dialog', { name: 'Write a note' });
  const larger = within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
  await waitFor(() => expect(document.activeElement).toBe(larger));
  return { ...app, dialog, larger };
}

it('the composer in full screen goes on behind a text that was kept', async () => {
  writeDraft({ owner: 'owner', name: 'pet' }, 'half a thought');
  const { user, box } = await openComposer();
  await waitFor(() => expect(box.value).toBe('half a thought'));
  await user.click(screen.getByRole('button', { name: 'Write larger' }));
  const dialog = await screen.findByRole('dialog', { name: 'Write a note' });
  const larger = within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
  await waitFor(() => expect(document.activeElement).toBe(larger));
  await user.keyboard(' more');
  expect(larger.value).toBe('half a thought more');
});

it('the composer shows the end of a text that was kept, and stays where its owner writes', async () => {
  const height = vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(900);
  onTestFinished(() => height.mockRestore());
  writeDraft({ owner: 'owner', name: 'pet' }, 'a long draft, and below it what was shared');
  const { user, box } = await openComposer();
  await waitFor(() => expect(box.scrollTop).toBe(900));
  await user.click(box);
  box.scrollTop = 300;
  await user.keyboard('.');
  expect(box.scrollTop).toBe(300);
});

describe('Enter in the composer', () => {
  it('starts a new line once its owner has said so in Settings, and Ctrl or Cmd with it sends', async () => {
    const settings = openApp({ path: '/settings' });
    const choice = await screen.findByRole<HTMLInputElement>('checkbox', {
      name: 'Enter starts a new line',
    });
    expect(choice.checked).toBe(false);
    await settings.user.click(choice);
    expect(choice.checked).toBe(true);

    const { user, box, sent } = await openComposer();
    expect(box.getAttribute('enterkeyhint')).toBe('enter');
    await user.type(box, 'one{Enter}two');
    expect(box.value).toBe('one\ntwo');
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() => expect(sent()).toEqual(['one\ntwo']));
    await user.type(box, 'three{Meta>}{Enter}{/Meta}');
    await waitFor(() => expect(sent()).toEqual(['one\ntwo', 'three']));
  });

  it('sends again once that is taken back', async () => {
    enterStartsLine.make(true);
    enterStartsLine.make(false);
    const { user, box, sent } = await openComposer();
    expect(box.getAttribute('enterkeyhint')).toBe('send');
    await user.type(box, 'one{Enter}');
    await waitFor(() => expect(sent()).toEqual(['one']));
  });
});

describe('the box over the whole screen', () => {
  it('continues the text of the small one; Enter starts a line there, Send sends all of it once', async () => {
    const { user, box, dialog, larger, sent } = await openLarger();
    expect(larger.value).toBe('one');
    await user.keyboard('{Enter}two');
    expect(box.value).toBe('one\ntwo');
    expect(within(dialog).getByText(/^7 \/ 10,000/)).toBeDefined();
    await user.click(within(dialog).getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(sent()).toEqual(['one\ntwo']));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(box.value).toBe('');
  });

  it('sends with Ctrl and Enter, and nothing of nothing', async () => {
    const { user, larger, sent } = await openLarger();
    await user.clear(larger);
    await user.keyboard('{Control>}{Enter}{/Control}');
    expect(screen.getByRole('dialog')).toBeDefined();
    await user.keyboard('two{Control>}{Enter}{/Control}');
    await waitFor(() => expect(sent()).toEqual(['two']));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('keeps the text and the focus when it is left', async () => {
    const { user, box, dialog } = await openLarger();
    await user.keyboard('{Enter}two');
    await user.click(within(dialog).getByRole('button', { name: 'Write smaller' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(box.value).toBe('one\ntwo');
    expect(document.activeElement).toBe(box);
  });

  it('keeps a text that is too long, and says so', async () => {
    const { dialog, larger, sent, user } = await openLarger();
    act(() => void fireEvent.change(larger, { target: { value: 'x'.repeat(10_001) } }));
    await user.click(within(dialog).getByRole('button', { name: 'Send' }));
    expect(within(dialog).getByRole('alert').textContent).toContain('at most 10,000');
    expect(sent()).toEqual([]);
  });
});
