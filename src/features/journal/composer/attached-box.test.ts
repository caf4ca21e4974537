import { beforeEach, describe, expect, it, vi } from 'vitest';
import { writeInOtherTab } from '../../../../tests/support/fakes/other-tab.ts';
import { readDraft } from '../../../lib/draft.ts';
import { createNoteWriting } from './note-writing.ts';

const place = { owner: 'sam', name: 'bramble' };

beforeEach(() => localStorage.clear());

/** A box with the words of a recording, which another tab shows too. */
function setUp() {
  const sent: string[] = [];
  const writing = createNoteWriting({
    place,
    commands: () => Promise.reject(new Error('no note is sent here')),
    newId: () => 'new',
    now: () => 1,
  });
  const leave = writing.subscribe(() => undefined);
  writing.add('went away');
  writing.attach({ send: async (text) => void sent.push(text) });
  const send = async (): Promise<void> => {
    writing.send();
    await vi.waitFor(() => expect(sent).toHaveLength(1));
  };
  return { writing, sent, leave, send, text: () => writing.getSnapshot().text };
}

describe('a box with a recording, whose draft another tab changes', () => {
  it('shows what is added there, and sends it as well', async () => {
    const { sent, send, text } = setUp();
    writeInOtherTab(place, 'went away and back');
    expect(text()).toBe('went away and back');
    await send();
    expect(sent).toEqual(['went away and back']);
    await vi.waitFor(() => expect(readDraft(place)).toBe(''));
  });

  it.each(['', 'Ducks'])('keeps its text beside "%s", and sends it', async (draft) => {
    const { writing, sent, send, text } = setUp();
    writeInOtherTab(place, draft);
    expect(text()).toBe('went away');
    writing.type('We went away');
    expect(readDraft(place)).toBe(draft);
    await send();
    expect(sent).toEqual(['We went away']);
    await vi.waitFor(() => expect(text()).toBe(draft));
    expect(readDraft(place)).toBe(draft);
  });

  it('still has its text when the journal is left, and the draft afterwards', () => {
    const { writing, leave, text } = setUp();
    writeInOtherTab(place, 'Ducks');
    leave();
    expect(text()).toBe('went away');
    writing.attach(null);
    expect(text()).toBe('Ducks');
    writing.drop('went away');
    expect(readDraft(place)).toBe('Ducks');
  });

  it('shows the draft once its recording is removed, and follows it again', () => {
    const { writing, text } = setUp();
    writeInOtherTab(place, 'Ducks');
    writing.attach(null);
    expect(text()).toBe('Ducks');
    writeInOtherTab(place, 'Geese');
    expect(text()).toBe('Geese');
    writing.type('Geese, two');
    expect(readDraft(place)).toBe('Geese, two');
  });
});
