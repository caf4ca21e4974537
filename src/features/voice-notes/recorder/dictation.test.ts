import { describe, expect, it, vi } from 'vitest';
import type { TranscribeAnswer } from '../../../../schemas/transcription.ts';
import { CommandError } from '../../../data/commands/commands.ts';
import type { HeardRecording } from '../../../data/files/voice-files.ts';
import { createDictation } from './dictation.ts';

function setUp(left: HeardRecording | null = null) {
  const words: {
    say: (heard: TranscribeAnswer | null) => void;
    reject: (error: unknown) => void;
  }[] = [];
  const done: string[] = [];
  const told: string[] = [];
  const texts: string[] = [];
  const kept: string[] = [];
  const gone: string[] = [];
  const state = { isOnline: true, isFull: false, isClosed: false, box: '' };
  const dictation = createDictation({
    loadVoice: async () => {
      if (state.isClosed) throw new Error('closed');
      return {
        transcribeNow: () => new Promise((say, reject) => words.push({ say, reject })),
        reopen: async (id) => {
          if (id === 'held') return id;
          return id === left?.id ? left : null;
        },
        keep: async (id, known) => {
          if (state.isFull) throw new CommandError('storage', 'No room.');
          const { text, transcript } = known ?? { text: '', transcript: 'waiting' };
          done.push(`${id}: ${transcript} ${text}`.trim());
        },
        discard: async (id) => void done.push(`discarded ${id}`),
        letGo: (id) => void done.push(`let go ${id}`),
      };
    },
    isOnline: () => state.isOnline,
    onGone: (id) => void gone.push(id),
    readText: () => state.box,
    onText: (text) => {
      texts.push(text);
      state.box = text;
    },
    onKept: (id) => void kept.push(id),
    tell: (message) => told.push(message),
  });
  const leaveScreen = dictation.subscribe(() => undefined);
  const hear = async (id: string): Promise<void> => {
    const before = words.length;
    dictation.hear({ id, durationMs: 4_000 });
    await vi.waitFor(() => expect(words).toHaveLength(before + 1));
  };
  const say = async (text: string, rough = false): Promise<void> => {
    words.at(-1)?.say({ text, rough });
    await vi.waitFor(() => expect(dictation.getSnapshot().attached).not.toBeNull());
  };
  return { words, done, told, texts, kept, gone, state, dictation, hear, say, leaveScreen };
}

describe('a recording made in the composer', () => {
  it('puts its transcript into the box, and is stored with the text of the box when that is sent', async () => {
    const { done, texts, dictation, hear, say } = setUp();
    await hear('one');
    expect(dictation.getSnapshot().transcribing?.id).toBe('one');
    await say(' went away ');
    expect(texts).toEqual(['went away']);
    expect(dictation.getSnapshot()).toMatchObject({ transcribing: null, attached: { id: 'one' } });
    expect(done).toEqual([]);
    await dictation.send('We went away.');
    expect(done).toEqual(['one: edited We went away.']);
    expect(dictation.getSnapshot().attached).toBeNull();
  });

  it.each([
    {
      how: 'as a machine’s words',
      sent: ' went away',
      rough: false,
      kept: 'one: done went away',
    },
    { how: 'as rough words', sent: 'went away', rough: true, kept: 'one: rough went away' },
    { how: 'without a text that was cleared', sent: '', rough: false, kept: 'one: edited' },
  ])('is kept $how', async ({ sent, rough, kept }) => {
    const { done, dictation, hear, say } = setUp();
    await hear('one');
    await say('went away', rough);
    await dictation.send(sent);
    expect(done).toEqual([kept]);
  });

  it('is stored with the sent text, even if the composer is left before that is stored', async () => {
    const { done, kept, dictation, hear, say } = setUp();
    await hear('one');
    await say('went away');
    const sent = dictation.send('We went away.');
    dictation.close();
    await sent;
    expect(done).toEqual(['one: edited We went away.']);
    expect(kept).toEqual([]);
  });

  it('stays attached if it could not be kept', async () => {
    const { state, dictation, hear, say } = setUp();
    await hear('one');
    await say('went away');
    state.isFull = true;
    await expect(dictation.send('went away')).rejects.toThrow('No room.');
    expect(dictation.getSnapshot().attached?.id).toBe('one');
  });

  it('is given up, and so offered again, if it cannot be stored without the box', async () => {
    const { done, told, state, dictation, hear } = setUp();
    await hear('one');
    state.isFull = true;
    dictation.leave();
    await vi.waitFor(() => expect(done).toEqual(['let go one']));
    expect(told).toEqual(['No room.']);
  });

  it('is given up, and so offered again, if the composer was left before its storing failed', async () => {
    const { done, state, dictation, hear, say, leaveScreen } = setUp();
    await hear('one');
    await say('went away');
    state.isFull = true;
    const sent = dictation.send('We went away.');
    dictation.close();
    leaveScreen();
    await expect(sent).rejects.toThrow('No room.');
    await vi.waitFor(() => expect(done).toEqual(['let go one']));
    expect(dictation.getSnapshot().attached).toBeNull();
  });

  it('leaves its words in the box if it cannot be stored when the composer is left', async () => {
    const { done, kept, state, dictation, hear, say } = setUp();
    await hear('one');
    await say('went away');
    state.isFull = true;
    dictation.close();
    await vi.waitFor(() => expect(done).toEqual(['let go one']));
    expect(kept).toEqual([]);
  });

  it('is discarded only when its owner asks for it', async () => {
    const { done, dictation, hear, say } = setUp();
    await hear('one');
    await say('went away');
    dictation.remove();
    await vi.waitFor(() => expect(done).toEqual(['discarded one']));
    expect(dictation.getSnapshot().attached).toBeNull();
  });

  it('is kept with the words that were heard when the composer is left', async () => {
    const { done, kept, dictation, hear, say } = setUp();
    await hear('one');
    await say('went away');
    dictation.close();
    dictation.close();
    await vi.waitFor(() => expect(kept).toEqual(['one']));
    expect(done).toEqual(['one: done went away']);
  });

  it.each([
    { box: ' We went away. ', as: 'one: edited We went away.' },
    { box: '  ', as: 'one: done went away' },
  ])('is kept as "$as" when the composer is left with "$box" in the box', async (left) => {
    const { done, kept, state, dictation, hear, say } = setUp();
    await hear('one');
    await say('went away');
    state.box = left.box;
    dictation.close();
    await vi.waitFor(() => expect(kept).toEqual(['one']));
    expect(done).toEqual([left.as]);
  });

  it('is a voice note when its owner does not wait, and words that come then are not wanted', async () => {
    const { words, done, texts, dictation, hear } = setUp();
    await hear('one');
    dictation.leave();
    expect(dictation.getSnapshot().transcribing).toBeNull();
    words[0]?.say({ text: 'too late', rough: false });
    await vi.waitFor(() => expect(done).toEqual(['one: waiting']));
    expect(texts).toEqual([]);
  });

  it.each([
    ['a refusal', new CommandError('storage', 'x'), 'Kept as a voice note.'],
    ['no user', new CommandError('storage', 'Not signed in'), 'Not signed in. Kept as'],
  ])('is a voice note that waits for its text after %s', async (_what, error, sentence) => {
    const { words, done, told, hear } = setUp();
    await hear('one');
    words[0]?.reject(error);
    await vi.waitFor(() => expect(done).toEqual(['one: waiting']));
    expect(told[0]).toContain(sentence);
  });

  it('without speech is a voice note without a text', async () => {
    const { words, done, told, texts, hear } = setUp();
    await hear('one');
    words[0]?.say({ text: '', rough: false });
    await vi.waitFor(() => expect(done).toEqual(['one: none']));
    expect(texts).toEqual([]);
    expect(told[0]).toContain('No speech detected.');
  });

  it('is a voice note without a word of it where the server makes no texts', async () => {
    const { words, done, told, hear } = setUp();
    await hear('one');
    words[0]?.say(null);
    await vi.waitFor(() => expect(done).toEqual(['one: unheard']));
    expect(told).toEqual([]);
  });

  it('is a voice note at once without a connection, and when the page was left meanwhile', async () => {
    const { done, words, state, dictation, leaveScreen } = setUp();
    state.isOnline = false;
    dictation.hear({ id: 'one', durationMs: 4_000 });
    state.isOnline = true;
    leaveScreen();
    dictation.hear({ id: 'two', durationMs: 4_000 });
    await vi.waitFor(() => expect(done.toSorted()).toEqual(['one: waiting', 'two: waiting']));
    expect(words).toEqual([]);
  });

  it('is attached again when its page comes back; one of another tab, or one that is gone, is not', async () => {
    const heard = { text: 'went away', rough: true };
    const left = { id: 'one', durationMs: 4_000, heard };
    const { done, texts, gone, state, dictation } = setUp(left);
    state.isClosed = true;
    await dictation.reopen(['gone']);
    expect(gone).toEqual([]);
    state.isClosed = false;
    await dictation.reopen(['held', 'gone']);
    expect(dictation.getSnapshot().attached).toBeNull();
    expect(gone).toEqual(['gone']);
    await dictation.reopen(['held', 'one']);
    expect(dictation.getSnapshot().attached?.id).toBe('one');
    expect(texts).toEqual([]);
    await dictation.send('We went away.');
    expect(done).toEqual(['one: edited We went away.']);
    expect(gone).toEqual(['gone']);
  });

  it('is not attached again over another one, or when the page is left meanwhile', async () => {
    const heard = { text: 'went away', rough: true };
    const left = { id: 'one', durationMs: 4_000, heard };
    const { done, gone, dictation, hear, leaveScreen } = setUp(left);
    await hear('two');
    await dictation.reopen(['one', 'gone', 'held']);
    expect(dictation.getSnapshot()).toMatchObject({ transcribing: { id: 'two' }, attached: null });
    dictation.leave();
    leaveScreen();
    await dictation.reopen(['one']);
    expect(dictation.getSnapshot().attached).toBeNull();
    expect(done).toEqual(['let go one', 'two: waiting', 'let go one']);
    expect(gone).toEqual([]);
  });

  it('makes way for the next: the one before is a voice note', async () => {
    const { words, done, texts, dictation, hear, say } = setUp();
    await hear('one');
    await hear('two');
    words[0]?.say({ text: 'one', rough: false });
    await say('two');
    expect(texts).toEqual(['two']);
    expect(done).toEqual(['one: waiting']);
    expect(dictation.getSnapshot().attached?.id).toBe('two');
  });
});
