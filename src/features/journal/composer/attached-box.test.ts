import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../../tests/support/fakes/fake-data.ts';
import { writeInOtherTab } from '../../../../tests/support/fakes/other-tab.ts';
import { readDraft } from '../../../lib/draft.ts';
import { createNoteWriting } from './note-writing.ts';

const place = { owner: 'sam', name: 'bramble' };

beforeEach(() => localStorage.clear());

/** A box with the words of a recording, which another tab shows too. */
function setUp() {
  const sent: string[] = [];
  const stored = deferred<undefined>();
  const writing = createNoteWriting({
    place,
    commands: () => Promise.reject(new Error('no note is sent here')),
    newId: () => 'new',
    now: () => 1,
  });
  const leave = writing.subscribe(() => undefined);
  writing.add('went away');
  writing.attach({
    send: async (text) => {
      sent.push(text);
      // The composer detaches it at once.
      writing.attach(null);
      await stored.promise;
    },
  });
  const fail = async (): Promise<void> => {
    stored.reject(new Error('the device is full'));
    await vi.waitFor(() => expect(writing.getSnapshot().problem).not.toBeNull());
  };
  const text = () => writing.getSnapshot().text;
  return { writing, sent, stored, leave, fail, text };
}

describe('a box with a recording, whose draft another tab changes', () => {
  it('shows what is added there, and sends it as well', async () => {
    const { writing, sent, stored, text } = setUp();
    writeInOtherTab(place, 'went away and back');
    expect(text()).toBe('went away and back');
    writing.send();
    expect(sent).toEqual(['went away and back']);
    stored.resolve(undefined);
    await vi.waitFor(() => expect(readDraft(place)).toBe(''));
  });

  it.each(['', 'Ducks'])('sends it with its text at once if that becomes "%s"', async (draft) => {
    const { writing, sent, stored, text } = setUp();
    writing.type('We went away');
    writeInOtherTab(place, draft);
    expect(sent).toEqual(['We went away']);
    stored.resolve(undefined);
    await stored.promise;
    expect(text()).toBe(draft);
    expect(readDraft(place)).toBe(draft);
    writeInOtherTab(place, 'Geese');
    expect(text()).toBe('Geese');
    expect(sent).toHaveLength(1);
  });

  it.each([
    ['before it is sent', false],
    ['while it is stored', true],
  ])('has its text again if storing fails, and the draft was replaced %s', async (_, isSent) => {
    const { writing, sent, fail, text } = setUp();
    if (isSent) writing.send();
    writeInOtherTab(place, 'Ducks');
    expect(text()).toBe('Ducks');
    await fail();
    expect(sent).toEqual(['went away']);
    expect(text()).toBe('went away\n\nDucks');
    expect(readDraft(place)).toBe('went away\n\nDucks');
  });

  it('keeps what is typed after storing it has failed in a journal that was left', async () => {
    const { writing, leave, fail, text } = setUp();
    writing.send();
    leave();
    await fail();
    expect(text()).toBe('went away');
    writing.subscribe(() => undefined);
    writing.type('went away, and back');
    expect(readDraft(place)).toBe('went away, and back');
  });
});
