import { describe, expect, it } from 'vitest';
import type { EntryRow } from '../../../schemas/document.ts';
import { deferred, entryRow, type Deferred } from '../../../tests/support/fake-data.ts';
import { CommandError } from '../../data/commands.ts';
import { writeDraft } from '../../lib/draft.ts';
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

  it('leaves nothing behind once a note is stored', async () => {
    const { held, addNote } = heldNotes();
    const { writing } = writingThat(addNote);
    writing.type('first');
    writing.send([]);
    expect(localStorage).not.toHaveLength(0);
    held[0]?.resolve('id');
    await settled();
    expect(localStorage).toHaveLength(0);
  });

  it('belongs to one dog', () => {
    writeDraft({ ...place, name: 'other' }, 'about another');
    expect(writingThat(heldNotes().addNote).writing.getSnapshot().text).toBe('');
  });
});

describe('a note that was being stored when the page went', () => {
  function interrupt(known: readonly EntryRow[] = []) {
    const { writing } = writingThat(heldNotes().addNote);
    writing.type('on the moor');
    writing.send(known);
    writing.type('typed since');
    const reopened = writingThat(heldNotes().addNote).writing;
    expect(reopened.getSnapshot().text).toBe('typed since');
    return reopened;
  }

  it('is back in the box if it was not stored', () => {
    const reopened = interrupt();
    reopened.settle([]);
    expect(reopened.getSnapshot().text).toBe('on the moor\n\ntyped since');
    reopened.type('');
    expect(localStorage).toHaveLength(0);
  });

  it('is not, if it was', () => {
    const reopened = interrupt();
    reopened.settle([entryRow('new', 2, { text: 'on the moor' })]);
    expect(reopened.getSnapshot().text).toBe('typed since');
    reopened.type('');
    expect(localStorage).toHaveLength(0);
  });

  it('is not mistaken for an older entry of the same words', () => {
    const older = [entryRow('old', 1, { text: 'on the moor' })];
    const reopened = interrupt(older);
    reopened.settle(older);
    expect(reopened.getSnapshot().text).toBe('on the moor\n\ntyped since');
  });

  it('is still known after the page went a second time before the entries were read', () => {
    interrupt().type('and more');
    const again = writingThat(heldNotes().addNote).writing;
    again.settle([]);
    expect(again.getSnapshot().text).toBe('on the moor\n\nand more');
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
