import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deferred } from '../../../../tests/support/fakes/fake-data.ts';
import { writeInOtherTab } from '../../../../tests/support/fakes/other-tab.ts';
import { readDraft, writeDraft } from '../../../lib/draft.ts';
import { createNoteWriting } from './note-writing.ts';

const place = { owner: 'sam', name: 'bramble' };
const ofRecording = { owner: 'sam', name: 'bramble.recording.one' };

beforeEach(() => localStorage.clear());

/** A box with the words of a recording, which is stored once a test says so. */
function setUp({ isAgain = true } = {}) {
  const sent: string[] = [];
  const stored = deferred<undefined>();
  const writing = createNoteWriting({
    place,
    commands: () => Promise.reject(new Error('no note is sent here')),
    newId: () => 'new',
    now: () => 1,
  });
  const leave = writing.subscribe(() => undefined);
  const attach = (): void =>
    writing.attach({
      draft: ofRecording,
      send: async (text) => {
        sent.push(text);
        // The composer detaches it at once, and attaches it again if it cannot be stored.
        writing.attach(null);
        await stored.promise.catch((error: unknown) => {
          if (isAgain) attach();
          throw error;
        });
      },
    });
  writing.add('went away');
  attach();
  const fail = async (): Promise<void> => {
    stored.reject(new Error('the device is full'));
    await vi.waitFor(() => expect(writing.getSnapshot().problem).not.toBeNull());
  };
  const text = () => writing.getSnapshot().text;
  return { writing, sent, stored, leave, fail, text };
}

describe('a box with a recording', () => {
  it('has a draft of its own, which no other tab shows', () => {
    const { writing, text } = setUp();
    expect([readDraft(place), readDraft(ofRecording)]).toEqual(['', 'went away']);
    writing.type('We went away');
    expect(readDraft(ofRecording)).toBe('We went away');
    writeInOtherTab(place, 'Ducks');
    expect(text()).toBe('We went away');
  });

  it('sends its text, and then shows the draft that another tab has written meanwhile', async () => {
    const { writing, sent, stored, text } = setUp();
    writeInOtherTab(place, 'Ducks');
    writing.send();
    expect(sent).toEqual(['went away']);
    writing.type('went away. Then home');
    stored.resolve(undefined);
    await vi.waitFor(() => expect(text()).toBe('Ducks\n\n. Then home'));
    expect([readDraft(place), readDraft(ofRecording)]).toEqual(['Ducks\n\n. Then home', '']);
    writeInOtherTab(place, 'Geese');
    expect(text()).toBe('Geese');
  });

  it('keeps its text and its recording if storing them fails', async () => {
    const { writing, fail, text } = setUp();
    writeInOtherTab(place, 'Ducks');
    writing.send();
    await fail();
    expect(text()).toBe('went away');
    expect(writing.getSnapshot().isAttached).toBe(true);
    expect([readDraft(place), readDraft(ofRecording)]).toEqual(['Ducks', 'went away']);
  });

  it('leaves its text in the box when the recording is removed, below another draft', () => {
    const { writing, text } = setUp();
    writeDraft(place, 'Ducks');
    writing.attach(null);
    expect(text()).toBe('Ducks\n\nwent away');
    expect([readDraft(place), readDraft(ofRecording)]).toEqual(['Ducks\n\nwent away', '']);
  });

  it('leaves its text with the recording when the journal is left, whatever becomes of that', () => {
    const { writing, leave, text } = setUp();
    writeDraft(place, 'Ducks');
    leave();
    expect(text()).toBe('went away');
    writing.attach(null);
    expect(text()).toBe('Ducks');
    expect([readDraft(place), readDraft(ofRecording)]).toEqual(['Ducks', 'went away']);
  });

  it.each([true, false])(
    'that is left while it is stored shows another text then, and takes nothing of it (stored: %s)',
    async (isStored) => {
      const { writing, sent, leave, stored, text } = setUp({ isAgain: false });
      writing.send();
      writing.type('went away. Then home');
      leave();
      writing.subscribe(() => undefined);
      expect(text()).toBe('');
      writing.type('Ducks');
      if (isStored) stored.resolve(undefined);
      else stored.reject(new Error('the device is full'));
      await stored.promise.catch(() => undefined);
      await Promise.resolve();
      expect(sent).toEqual(['went away']);
      expect(text()).toBe(isStored ? 'Ducks\n\n. Then home' : 'Ducks');
      expect(readDraft(ofRecording)).toBe(isStored ? '' : 'went away. Then home');
    },
  );

  it('gives a second recording only what was typed after the text of the first, which is being stored', async () => {
    const { writing, stored, text } = setUp();
    writing.send();
    writing.add('Then home');
    writing.attach({
      draft: { ...place, name: 'bramble.recording.two' },
      send: async () => undefined,
    });
    expect(text()).toBe('Then home');
    stored.resolve(undefined);
    await vi.waitFor(() => expect(readDraft(ofRecording)).toBe(''));
    expect(text()).toBe('Then home');
    expect(writing.getSnapshot().isAttached).toBe(true);
  });

  it('sends no draft of another tab with a second press of Send', async () => {
    const { writing, sent, stored, text } = setUp();
    writeInOtherTab(place, 'Ducks, unfinished');
    writing.send();
    writing.send();
    stored.resolve(undefined);
    await vi.waitFor(() => expect(text()).toBe('Ducks, unfinished'));
    expect(sent).toEqual(['went away']);
    expect(writing.getSnapshot().outgoing).toEqual([]);
  });

  it('is stored on a device that has room for one of its two drafts', () => {
    const setItem = localStorage.setItem.bind(localStorage);
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation((key, value) => {
      if (localStorage.length > 0 && localStorage.getItem(key) === null) throw new Error('full');
      setItem(key, value);
    });
    setUp();
    expect(localStorage).toHaveLength(1);
    expect(localStorage.getItem(localStorage.key(0) ?? '')).toBe('went away');
  });

  it('takes the text that was written after a reload along, below its own', () => {
    writeDraft(ofRecording, 'went away');
    writeDraft(place, 'Ducks');
    const commands = () => Promise.reject(new Error('no note is sent here'));
    const writing = createNoteWriting({ place, commands, newId: () => 'new', now: () => 1 });
    writing.subscribe(() => undefined);
    expect(writing.getSnapshot().text).toBe('Ducks');
    writing.attach({ draft: ofRecording, send: async () => undefined });
    expect(writing.getSnapshot().text).toBe('went away\n\nDucks');
    expect([readDraft(place), readDraft(ofRecording)]).toEqual(['', 'went away\n\nDucks']);
  });
});
