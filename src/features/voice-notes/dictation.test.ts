import { describe, expect, it, vi } from 'vitest';
import { CommandError } from '../../data/commands.ts';
import { createDictation } from './dictation.ts';

function setUp() {
  const words: { resolve: (text: string) => void; reject: (error: unknown) => void }[] = [];
  const done: string[] = [];
  const told: string[] = [];
  const texts: string[] = [];
  const state = { isOnline: true };
  const dictation = createDictation({
    loadVoice: async () => ({
      wordsNow: () => new Promise((resolve, reject) => words.push({ resolve, reject })),
      keep: async (id) => void done.push(`kept ${id}`),
      discard: async (id) => void done.push(`discarded ${id}`),
    }),
    isOnline: () => state.isOnline,
    onText: (text) => texts.push(text),
    tell: (message) => told.push(message),
  });
  const leaveScreen = dictation.subscribe(() => undefined);
  const hear = async (id: string): Promise<void> => {
    const before = words.length;
    dictation.hear({ id, durationMs: 4_000 });
    await vi.waitFor(() => expect(words).toHaveLength(before + 1));
  };
  return { words, done, told, texts, state, dictation, hear, leaveScreen };
}

describe('a recording made in the composer', () => {
  it('becomes words in the box, and is let go of when they are sent, not before', async () => {
    const { words, done, texts, dictation, hear } = setUp();
    await hear('one');
    expect(dictation.getSnapshot().transcribing?.id).toBe('one');
    words[0]?.resolve(' went away ');
    await vi.waitFor(() => expect(texts).toEqual(['went away']));
    expect(dictation.getSnapshot()).toMatchObject({ transcribing: null, heard: [{ id: 'one' }] });
    expect(done).toEqual([]);
    dictation.forget();
    await vi.waitFor(() => expect(done).toEqual(['discarded one']));
    expect(dictation.getSnapshot().heard).toEqual([]);
  });

  it('can be kept although its words came', async () => {
    const { words, done, dictation, hear } = setUp();
    await hear('one');
    words[0]?.resolve('wind of way');
    await vi.waitFor(() => expect(dictation.getSnapshot().heard).toHaveLength(1));
    dictation.keep('one');
    dictation.forget();
    await vi.waitFor(() => expect(done).toEqual(['kept one']));
  });

  it('is a voice note when its owner does not wait, and words that come then are not wanted', async () => {
    const { words, done, texts, dictation, hear } = setUp();
    await hear('one');
    dictation.leave();
    expect(dictation.getSnapshot().transcribing).toBeNull();
    words[0]?.resolve('too late');
    await vi.waitFor(() => expect(done).toEqual(['kept one']));
    expect(texts).toEqual([]);
  });

  it.each([
    ['a refusal', new CommandError('storage', 'x'), 'Kept as a voice note.'],
    ['no user', new CommandError('storage', 'Not signed in'), 'Not signed in. Kept as'],
  ])('is a voice note after %s', async (_what, error, sentence) => {
    const { words, done, told, hear } = setUp();
    await hear('one');
    words[0]?.reject(error);
    await vi.waitFor(() => expect(done).toEqual(['kept one']));
    expect(told[0]).toContain(sentence);
  });

  it('in which nobody speaks is a voice note, and no words are made up', async () => {
    const { words, done, told, texts, hear } = setUp();
    await hear('one');
    words[0]?.resolve('');
    await vi.waitFor(() => expect(done).toEqual(['kept one']));
    expect(texts).toEqual([]);
    expect(told[0]).toContain('No speech detected.');
  });

  it('is a voice note at once without a connection, and when the page was left meanwhile', async () => {
    const { done, words, state, dictation, leaveScreen } = setUp();
    state.isOnline = false;
    dictation.hear({ id: 'one', durationMs: 4_000 });
    state.isOnline = true;
    leaveScreen();
    dictation.hear({ id: 'two', durationMs: 4_000 });
    await vi.waitFor(() => expect(done.toSorted()).toEqual(['kept one', 'kept two']));
    expect(words).toEqual([]);
  });

  it('makes way for the next: the one before is a voice note', async () => {
    const { words, done, texts, dictation, hear } = setUp();
    await hear('one');
    await hear('two');
    words[0]?.resolve('one');
    words[1]?.resolve('two');
    await vi.waitFor(() => expect(texts).toEqual(['two']));
    expect(done).toEqual(['kept one']);
    expect(dictation.getSnapshot().heard.map(({ id }) => id)).toEqual(['two']);
  });
});
