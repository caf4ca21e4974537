import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import {
  exportFormat,
  exportListSchema,
  exportVersion,
  exportedEntrySchema,
  exportedPetSchema,
} from './export-file.ts';
import { formerTextsMaxLength, noteTextMaxLength, petDescriptionMaxLength } from './limits.ts';

const pet = {
  id: 'p1',
  name: 'Bramble',
  breed: 'Vizsla',
  dob: '2020-02-29',
  description: 'Likes water',
  picture: {
    file: 'Bramble/picture.jpg',
    contentType: 'image/jpeg',
    serverPath: 'pets/p1/images/profile.jpg',
    serverVersion: 'md5',
  },
  edits: { name: 1 },
};

const entry = {
  id: 'e1',
  petId: 'p1',
  createdDate: '2024-05-06T07:08:09.010Z',
  type: 'voice-note',
  text: 'Ducks',
  transcript: 'done',
  formerTexts: '[]',
  recording: {
    file: 'Bramble/1.webm',
    contentType: 'audio/webm',
    durationMs: 1_500.5,
    waveform: '0f',
    serverPath: 'pets/p1/audios/a.webm',
  },
  edits: { text: 1 },
};

const list = {
  format: exportFormat,
  version: exportVersion,
  exportedAt: '2024-05-06T07:08:09.010Z',
  owner: 'u1',
  pets: [],
  entries: [],
};

const isPet = (changes: object): boolean =>
  v.safeParse(exportedPetSchema, { ...pet, ...changes }).success;
const isEntry = (changes: object): boolean =>
  v.safeParse(exportedEntrySchema, { ...entry, ...changes }).success;
const isList = (changes: object): boolean =>
  v.safeParse(exportListSchema, { ...list, ...changes }).success;

describe('an exported pet', () => {
  it('is read as it was written', () => {
    expect(v.parse(exportedPetSchema, pet)).toEqual(pet);
  });

  it('needs no more than an id, a name, stamps, and whether it has a picture', () => {
    const least = { id: 'p1', name: 'Bramble', picture: null, edits: {} };
    expect(v.parse(exportedPetSchema, least)).toEqual(least);
    for (const field of Object.keys(least))
      expect(v.safeParse(exportedPetSchema, { ...least, [field]: undefined }).success).toBe(false);
  });

  it('can have a picture whose bytes were unavailable', () => {
    expect(isPet({ picture: { file: null } })).toBe(true);
    expect(isPet({ picture: {} })).toBe(false);
    expect(isPet({ picture: { file: 'x'.repeat(1_025) } })).toBe(false);
    expect(isPet({ picture: { file: null, serverVersion: 'x'.repeat(65) } })).toBe(false);
    expect(isPet({ picture: { file: null, serverPath: 'x'.repeat(1_025) } })).toBe(false);
  });

  it.each(['x'.repeat(101), 'image/'.padEnd(101, 'x'), 'image/png\r\nX-Other: 1', 'constructor'])(
    'is read without the type %j, which no request can name',
    (contentType) => {
      const read = v.parse(exportedPetSchema, { ...pet, picture: { file: null, contentType } });
      expect(read.picture?.contentType).toBeUndefined();
    },
  );

  it.each(['2023-02-29', '2024-02-30', '2024-13-01', '2024-00-10', 'soon', ''])(
    'has no date of birth %j, which is no day of the calendar',
    (dob) => {
      expect(isPet({ dob })).toBe(false);
    },
  );

  it('has a description up to the limit, also an empty one', () => {
    expect(isPet({ description: '' })).toBe(true);
    expect(isPet({ description: 'x'.repeat(petDescriptionMaxLength) })).toBe(true);
    expect(isPet({ description: 'x'.repeat(petDescriptionMaxLength + 1) })).toBe(false);
  });
});

describe('an exported entry', () => {
  it('is read as it was written, and its date becomes milliseconds', () => {
    const createdDate = Date.parse(entry.createdDate);
    expect(v.parse(exportedEntrySchema, entry)).toEqual({ ...entry, createdDate });
  });

  it('of a note has no recording and needs no text', () => {
    const note = {
      id: 'e1',
      petId: 'p1',
      createdDate: '1970-01-01T00:00:00.000Z',
      type: 'note',
      recording: null,
      edits: {},
    };
    expect(v.parse(exportedEntrySchema, note)).toEqual({ ...note, createdDate: 0 });
    for (const field of Object.keys(note))
      expect(v.safeParse(exportedEntrySchema, { ...note, [field]: undefined }).success).toBe(false);
  });

  it.each([
    'yesterday',
    '',
    '1969-12-31T23:59:59.999Z',
    '+010000-01-01T00:00:00.000Z',
    '2024-13-01T00:00:00.000Z',
    7,
  ])('was not created at %j', (createdDate) => {
    expect(isEntry({ createdDate })).toBe(false);
  });

  it('was created at an instant that the server can store, up to the end of the year 9999', () => {
    expect(isEntry({ createdDate: '9999-12-31T23:59:59.999Z' })).toBe(true);
  });

  it('has texts up to their limits', () => {
    expect(isEntry({ text: 'x'.repeat(noteTextMaxLength) })).toBe(true);
    expect(isEntry({ text: 'x'.repeat(noteTextMaxLength + 1) })).toBe(false);
    expect(isEntry({ formerTexts: 'x'.repeat(formerTextsMaxLength) })).toBe(true);
    expect(isEntry({ formerTexts: 'x'.repeat(formerTextsMaxLength + 1) })).toBe(false);
  });

  it.each([{ type: 'poem' }, { transcript: 'sung' }, { recording: {} }, { petId: '' }])(
    'is refused with %j',
    (changes) => {
      expect(isEntry(changes)).toBe(false);
    },
  );

  it('has a recording of no negative duration', () => {
    expect(isEntry({ recording: { file: null, durationMs: 0 } })).toBe(true);
    expect(isEntry({ recording: { file: null, durationMs: -1 } })).toBe(false);
    expect(isEntry({ recording: { file: null, waveform: '0'.repeat(49) } })).toBe(false);
  });
});

describe('the list of an export', () => {
  it('can be of a newer version, so that the importer can say so', () => {
    expect(isList({ version: exportVersion + 1 })).toBe(true);
    expect(isList({ version: 0 })).toBe(false);
    expect(isList({ version: 1.5 })).toBe(false);
  });

  it('is valid whatever its pets and entries are, as each is validated by itself', () => {
    expect(isList({ pets: [null, 7], entries: [{}] })).toBe(true);
    expect(isList({ pets: {} })).toBe(false);
    expect(isList({ entries: undefined })).toBe(false);
  });

  it.each([{ format: 'other' }, { owner: '' }, { owner: undefined }, { exportedAt: 'now' }])(
    'is no list of ours with %j',
    (changes) => {
      expect(isList(changes)).toBe(false);
    },
  );
});
