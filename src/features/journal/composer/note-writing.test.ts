import { describe, expect, it, vi } from 'vitest';
import { deferred, type Deferred } from '../../../../tests/support/fakes/fake-data.ts';
import { writeInOtherTab } from '../../../../tests/support/fakes/other-tab.ts';
import { CommandError, type Commands } from '../../../data/commands/commands.ts';
import { draftNames, eraseDrafts, readDraft, readDrafts, writeDraft } from '../../../lib/draft.ts';
import { createNoteWriting } from './note-writing.ts';

const place = { owner: 'owner', name: 'pet' };

type AddNote = Commands['addNote'];

function commandsWith(addNote: AddNote) {
  return async () => ({ addNote });
}

let lastId = 0;
function newId(): string {
  lastId += 1;
  return `id-${String(lastId)}`;
}

/** Creates a composer with a subscriber, as on a page. */
function writingThat(addNote: AddNote) {
  const writing = createNoteWriting({
    place,
    commands: commandsWith(addNote),
    newId,
    now: () => 1_000,
  });
  const leave = writing.subscribe(() => undefined);
  const texts = () => writing.getSnapshot().outgoing.map(({ text }) => text);
  return { writing, texts, leave };
}

/** Creates an `addNote` that a test settles. */
function heldNotes() {
  const held: (Deferred<string> & { readonly note: Parameters<AddNote>[0] })[] = [];
  const addNote: AddNote = (note) => {
    const one = deferred<string>();
    held.push({ ...one, note });
    return one.promise;
  };
  return { held, addNote };
}

async function settled(): Promise<void> {
  for (let turn = 0; turn < 4; turn += 1) await Promise.resolve();
}

const full = new CommandError('storage', 'This device is full.');

describe('sending', () => {
  it('shows the note at once, trimmed, and empties the box', () => {
    const { writing, texts } = writingThat(heldNotes().addNote);
    writing.type('  out on the moor \n');
    expect(writing.send()).toBe(true);
    expect(texts()).toEqual(['out on the moor']);
    expect(writing.getSnapshot().text).toBe('');
  });

  it('dates each note after the one before, and follows a clock that is set back', async () => {
    const { held, addNote } = heldNotes();
    const dayMs = 86_400_000;
    const times = [dayMs, dayMs, 5_000, 5_000];
    const now = () => times.shift() ?? 0;
    const writing = createNoteWriting({ place, commands: commandsWith(addNote), newId, now });
    for (const text of ['one', 'two', 'three', 'four']) {
      writing.type(text);
      writing.send();
    }
    await settled();
    const dates = held.map(({ note }) => note.createdDate);
    expect(dates).toEqual([dayMs, dayMs + 1, 5_000, 5_001]);
  });

  it.each(['', '   ', '\n\n'])('does not send %j', (text) => {
    const { writing, texts } = writingThat(heldNotes().addNote);
    writing.type(text);
    expect(writing.send()).toBe(false);
    expect(texts()).toEqual([]);
  });

  it('says so when a note is too long, and keeps all of it', () => {
    const { writing, texts } = writingThat(heldNotes().addNote);
    const long = 'a'.repeat(10_001);
    writing.type(long);
    expect(writing.send()).toBe(false);
    expect(texts()).toEqual([]);
    expect(writing.getSnapshot()).toMatchObject({
      text: long,
      problem: 'A note can have at most 10,000 characters',
    });
    writing.type('a'.repeat(10_000));
    expect(writing.getSnapshot().problem).toBeNull();
    expect(writing.send()).toBe(true);
  });

  it('says so too when a text that is too long was there from the start', () => {
    writeDraft(place, 'a'.repeat(10_001));
    const { writing } = writingThat(heldNotes().addNote);
    expect(writing.send()).toBe(false);
    expect(writing.getSnapshot().problem).toBe('A note can have at most 10,000 characters');
  });

  it('returns a note that could not be stored to the box, before the text typed since', async () => {
    const { held, addNote } = heldNotes();
    const { writing, texts } = writingThat(addNote);
    writing.type('first');
    writing.send();
    writing.type('second');
    await settled();
    held[0]?.reject(full);
    await settled();
    expect(texts()).toEqual([]);
    expect(writing.getSnapshot()).toMatchObject({
      text: 'first\n\nsecond',
      problem: 'This device is full.',
    });
    expect(draftNames('owner')).toEqual(['pet']);
  });

  it('keeps the order of notes sent within one millisecond', async () => {
    const { held, addNote } = heldNotes();
    const { writing } = writingThat(addNote);
    for (const text of ['first', 'second']) {
      writing.type(text);
      writing.send();
    }
    await settled();
    expect(held.map(({ note }) => note.createdDate)).toEqual([1_000, 1_001]);
  });

  it('is kept as its owner wrote it, as an export reads it', () => {
    const { writing } = writingThat(heldNotes().addNote);
    writing.type('5 ducks');
    writing.send();
    expect(readDrafts('owner')).toEqual(['5 ducks']);
  });

  it('has kept the note before it is stored', async () => {
    const kept: number[] = [];
    const { writing } = writingThat(() => {
      kept.push(draftNames('owner').length);
      return Promise.resolve('id');
    });
    writing.type('first');
    writing.send();
    await settled();
    expect(kept).toEqual([1]);
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
    writing.send();
    expect(localStorage).not.toHaveLength(0);
    await settled();
    held[0]?.resolve('id');
    await settled();
    expect(localStorage).toHaveLength(0);
  });

  it('belongs to one dog', () => {
    writeDraft({ ...place, name: 'other' }, 'about another');
    expect(writingThat(heldNotes().addNote).writing.getSnapshot().text).toBe('');
  });

  it('is not touched by another tab, whose note comes to be stored', async () => {
    const { held, addNote } = heldNotes();
    const other = writingThat(addNote).writing;
    other.type('sent elsewhere');
    other.send();
    const { writing } = writingThat(heldNotes().addNote);
    writing.type('half a thought');
    await settled();
    held[0]?.resolve('id');
    await settled();
    other.settle({ rows: [], until: null });
    expect(readDraft(place)).toBe('half a thought');
  });

  it("is erased with its owner's other data, and so are notes in flight", () => {
    const { writing } = writingThat(heldNotes().addNote);
    writing.type('first');
    writing.send();
    writing.type('second');
    eraseDrafts('owner');
    expect(localStorage).toHaveLength(0);
  });
});

describe('a note that was being stored when the page went', () => {
  function interrupt(): void {
    const { writing } = writingThat(heldNotes().addNote);
    writing.type('on the moor');
    writing.send();
    writing.type('typed since');
  }

  it('is stored by itself, under the same id and with its time, and not put back', async () => {
    interrupt();
    const [name] = draftNames('owner').filter((found) => found.includes('sending'));
    const { held, addNote } = heldNotes();
    const { writing, texts } = writingThat(addNote);
    expect(writing.getSnapshot().text).toBe('typed since');
    expect(texts()).toEqual(['on the moor']);
    await settled();
    expect(held.map(({ note }) => note)).toEqual([
      { id: name?.split('.').at(-1), petId: 'pet', text: 'on the moor', createdDate: 1_000 },
    ]);
    held[0]?.resolve('id');
    await settled();
    expect(draftNames('owner')).toEqual(['pet']);
  });

  it('is stored once more after each crash, until it is done', async () => {
    interrupt();
    writingThat(heldNotes().addNote);
    const { held, addNote } = heldNotes();
    writingThat(addNote);
    await settled();
    expect(held).toHaveLength(1);
  });

  it('is back in the box with a sentence if it cannot be stored', async () => {
    interrupt();
    const { writing } = writingThat(() => Promise.reject(full));
    await settled();
    expect(writing.getSnapshot()).toMatchObject({
      text: 'on the moor\n\ntyped since',
      problem: 'This device is full.',
      outgoing: [],
    });
    expect(draftNames('owner')).toEqual(['pet']);
  });

  it('is left to the tab that has dealt with it', async () => {
    interrupt();
    const { held, addNote } = heldNotes();
    const { writing } = writingThat(addNote);
    await settled();
    eraseDrafts('owner');
    held[0]?.reject(full);
    await settled();
    expect(writing.getSnapshot()).toMatchObject({ outgoing: [], problem: null });
  });

  it('is not that of another dog', async () => {
    interrupt();
    const { held, addNote } = heldNotes();
    createNoteWriting({
      place: { ...place, name: 'pe' },
      commands: commandsWith(addNote),
      newId,
      now: () => 1,
    }).subscribe(() => undefined);
    await settled();
    expect(held).toEqual([]);
  });
});

it.each([true, false])('stores a failed note later (drafts: %s)', async (areDraftsKept) => {
  if (!areDraftsKept) vi.spyOn(Storage.prototype, 'setItem').mockThrow(full);
  const { held, addNote } = heldNotes();
  const { writing, leave } = writingThat(addNote);
  writing.type('on the moor');
  writing.send();
  leave();
  await settled();
  held[0]?.reject(full);
  await settled();
  const reopened = writingThat(addNote);
  expect(reopened.texts()).toEqual(['on the moor']);
  await settled();
  expect(held.map(({ note }) => note.id)).toEqual([held[0]?.note.id, held[0]?.note.id]);
  eraseDrafts('owner');
});

describe('a recording that is being stored with its text', () => {
  /** Creates a composer that has sent "went away" with a recording, which a test settles. */
  function writingOfRecording() {
    const stored = deferred<undefined>();
    const started = writingThat(heldNotes().addNote);
    started.writing.type('went away');
    const draft = { ...place, name: `${place.name}.recording.one` };
    started.writing.attach({ draft, send: () => stored.promise });
    started.writing.send();
    return { ...started, stored };
  }

  it('leaves what was typed since in the box', async () => {
    const { writing, stored } = writingOfRecording();
    writing.type('went away. Then home');
    stored.resolve(undefined);
    await settled();
    expect(writing.getSnapshot()).toMatchObject({ text: '. Then home', outgoing: [] });
    expect(readDraft(place)).toBe('. Then home');
  });

  it('is followed by what was typed and sent since', async () => {
    const { writing, texts, stored } = writingOfRecording();
    writing.type('went away then home');
    expect(writing.send()).toBe(true);
    expect(texts()).toEqual([]);
    stored.resolve(undefined);
    await settled();
    expect(texts()).toEqual(['then home']);
    expect(writing.getSnapshot().text).toBe('');
  });

  it('returns to the box if it fails, and nothing else is sent', async () => {
    const { writing, texts, stored } = writingOfRecording();
    writing.type('went away then home');
    writing.send();
    stored.reject(full);
    await settled();
    expect(texts()).toEqual([]);
    expect(writing.getSnapshot()).toMatchObject({
      text: 'went away then home',
      problem: 'This device is full.',
    });
  });

  it('takes its words from the box when it is stored, after a step away and back', async () => {
    const { writing, leave, stored } = writingOfRecording();
    leave();
    writing.subscribe(() => undefined);
    expect(writing.getSnapshot().text).toBe('went away');
    stored.resolve(undefined);
    await settled();
    expect(writing.getSnapshot().text).toBe('');
    expect(readDraft(place)).toBe('');
  });

  it('keeps what was added to the draft while the journal was left', async () => {
    const { writing, leave, stored } = writingOfRecording();
    leave();
    writeDraft(place, 'https://ponds.example');
    stored.resolve(undefined);
    await settled();
    expect(readDraft(place)).toBe('https://ponds.example');
    writing.subscribe(() => undefined);
    expect(writing.getSnapshot().text).toBe('https://ponds.example');
  });
});

describe('the box in two tabs', () => {
  it('shows the text typed in the other tab, and continues from it', () => {
    const { writing } = writingThat(heldNotes().addNote);
    writing.type('on the');
    writeInOtherTab(place, 'on the moor');
    expect(writing.getSnapshot()).toMatchObject({ text: 'on the moor', problem: null });
    writing.type('on the moor, ducks');
    expect(readDraft(place)).toBe('on the moor, ducks');
  });

  it('is empty once the note was sent from the other one, which is not sent twice', async () => {
    const { held, addNote } = heldNotes();
    const { writing } = writingThat(addNote);
    writing.type('on the moor');
    writeInOtherTab(place, '');
    expect(writing.getSnapshot().text).toBe('');
    expect(writing.send()).toBe(false);
    await settled();
    expect(held).toEqual([]);
  });

  it('reports a text typed in the other tab that is too long', () => {
    const { writing } = writingThat(heldNotes().addNote);
    writeInOtherTab(place, 'a'.repeat(10_001));
    expect(writing.getSnapshot().problem).toBe('A note can have at most 10,000 characters');
  });

  it('has the text of the other tab when the journal is opened again', () => {
    const { writing, leave } = writingThat(heldNotes().addNote);
    writing.type('on the');
    leave();
    writeInOtherTab(place, 'on the moor');
    expect(writing.getSnapshot().text).toBe('on the moor');
  });
});

it('removes an outgoing note with the next read after it was stored, even if it was deleted meanwhile', async () => {
  const { writing, texts } = writingThat(() => Promise.resolve('id'));
  writing.type('hello');
  writing.send();
  writing.settle({ rows: [], until: null });
  expect(texts()).toEqual(['hello']);
  await settled();
  writing.settle({ rows: [], until: null });
  expect(texts()).toEqual([]);
});
