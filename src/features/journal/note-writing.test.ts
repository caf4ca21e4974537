import { describe, expect, it } from 'vitest';
import { deferred, entryRow, type Deferred } from '../../../tests/support/fake-data.ts';
import { CommandError } from '../../data/commands.ts';
import { readDraft, writeDraft } from '../../lib/draft.ts';
import { createNoteWriting, withoutStored, type OutgoingNote } from './note-writing.ts';

const place = { owner: 'owner', name: 'pet' };

function writingThat(addNote: (text: string) => Promise<string>) {
  const writing = createNoteWriting({ place, addNote, now: () => 1_000 });
  const texts = () => writing.getSnapshot().outgoing.map(({ text }) => text);
  return { writing, texts };
}

/** An `addNote` that a test settles. */
function heldNotes() {
  const held: Deferred<string>[] = [];
  const addNote = (): Promise<string> => {
    const one = deferred<string>();
    held.push(one);
    return one.promise;
  };
  return { held, addNote };
}

function settled(): Promise<void> {
  return Promise.resolve().then(() => undefined);
}

describe('sending', () => {
  it('shows the note at once, trimmed, and empties the box', () => {
    const { writing, texts } = writingThat(heldNotes().addNote);
    writing.type('  out on the moor \n');
    expect(writing.send([])).toBe(true);
    expect(texts()).toEqual(['out on the moor']);
    expect(writing.getSnapshot().text).toBe('');
  });

  it.each(['', '   ', '\n\n'])('does not send %j', (text) => {
    const { writing, texts } = writingThat(heldNotes().addNote);
    writing.type(text);
    expect(writing.send([])).toBe(false);
    expect(texts()).toEqual([]);
  });

  it('says so when a note is too long, and keeps all of it', () => {
    const { writing, texts } = writingThat(heldNotes().addNote);
    const long = 'a'.repeat(10_001);
    writing.type(long);
    expect(writing.send([])).toBe(false);
    expect(texts()).toEqual([]);
    expect(writing.getSnapshot()).toMatchObject({
      text: long,
      problem: 'A note can have at most 10,000 characters',
    });
    writing.type('a'.repeat(10_000));
    expect(writing.getSnapshot().problem).toBeNull();
    expect(writing.send([])).toBe(true);
  });

  it('gives a note that could not be stored back, before what was typed since', async () => {
    const { held, addNote } = heldNotes();
    const { writing, texts } = writingThat(addNote);
    writing.type('first');
    writing.send([]);
    writing.type('second');
    held[0]?.reject(new CommandError('storage', 'This device is full.'));
    await settled();
    expect(texts()).toEqual([]);
    expect(writing.getSnapshot()).toMatchObject({
      text: 'first\n\nsecond',
      problem: 'This device is full.',
    });
  });
});

describe('the draft', () => {
  it('is there when the page is opened again', () => {
    writingThat(heldNotes().addNote).writing.type('half a thought');
    expect(writingThat(heldNotes().addNote).writing.getSnapshot().text).toBe('half a thought');
  });

  it('holds a note until it is stored, and is gone then', async () => {
    const { held, addNote } = heldNotes();
    const { writing } = writingThat(addNote);
    writing.type('first');
    writing.send([]);
    expect(readDraft(place)).toBe('first');
    writing.type('second');
    expect(readDraft(place)).toBe('first\n\nsecond');
    held[0]?.resolve('id');
    await settled();
    expect(readDraft(place)).toBe('second');
    writing.type('');
    expect(localStorage).toHaveLength(0);
  });

  it('belongs to one dog', () => {
    writeDraft({ ...place, name: 'other' }, 'about another');
    expect(writingThat(heldNotes().addNote).writing.getSnapshot().text).toBe('');
  });
});

describe('an outgoing note and its stored entry', () => {
  const note: OutgoingNote = {
    key: 1,
    text: 'hello',
    sentMs: 1,
    entryId: null,
    knownIds: new Set(['old']),
  };

  it('are never shown both', () => {
    expect(withoutStored([note], [entryRow('new', 2, { text: 'hello' })])).toEqual([]);
    const stored = { ...note, entryId: 'new' };
    expect(withoutStored([stored], [entryRow('new', 2, { text: 'hello' })])).toEqual([]);
  });

  it('are not mistaken for an older entry of the same words', () => {
    expect(withoutStored([note], [entryRow('old', 1, { text: 'hello' })])).toEqual([note]);
  });

  it('belong together one to one when the same is written twice', () => {
    const second = { ...note, key: 2 };
    const one = [entryRow('new', 2, { text: 'hello' })];
    expect(withoutStored([note, second], one)).toEqual([second]);
    const known = { ...note, entryId: 'late' };
    const both = [entryRow('late', 3, { text: 'hello' }), ...one];
    expect(withoutStored([second, known], both)).toEqual([]);
  });

  it('leave no trace once the entry has arrived, also when it is deleted after', async () => {
    const { writing, texts } = writingThat(() => Promise.resolve('new'));
    writing.type('hello');
    writing.send([]);
    await settled();
    writing.settle([entryRow('new', 2, { text: 'hello' })]);
    expect(texts()).toEqual([]);
    expect(withoutStored(writing.getSnapshot().outgoing, [])).toEqual([]);
  });
});
