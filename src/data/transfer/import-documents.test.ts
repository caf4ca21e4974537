import { describe, expect, it } from 'vitest';
import type { ExportedEntry, ExportedPet } from '../../../schemas/export-file.ts';
import { entryOf, petOf, type ImportInput } from './import-documents.ts';

const nowMs = 10_000;
const input: ImportInput = {
  uid: 'u1',
  id: 'p1',
  nowMs,
  isSameDocument: true,
};

const pet: ExportedPet = {
  id: 'p1',
  name: 'Bramble',
  breed: 'Vizsla',
  dob: '2020-02-29',
  description: 'Likes water',
  picture: {
    file: null,
    contentType: 'image/jpeg',
    serverPath: 'pets/p1/images/profile.jpg',
    serverVersion: 'md5',
  },
  edits: { name: 1, breed: 2, dob: 3, description: 4, profilePicturePath: 5 },
};

const entry: ExportedEntry = {
  id: 'e1',
  petId: 'p1',
  createdDate: 5_000,
  type: 'voice-note',
  text: 'Ducks',
  transcript: 'done',
  formerTexts: '[]',
  recording: {
    file: null,
    contentType: 'audio/webm',
    durationMs: 1_500,
    waveform: '0f',
    serverPath: 'pets/p1/audios/voice-note-1.webm',
  },
  edits: { text: 1 },
};

const entryInput = { ...input, id: 'e1', hasBytes: false };

describe('an imported pet', () => {
  it('is a new document of this owner that waits, with all of its content', () => {
    expect(petOf(pet, input)).toMatchObject({
      collection: 'pets',
      id: 'p1',
      ownerId: 'u1',
      petId: null,
      pending: 1,
      seq: null,
      fields: {
        name: 'Bramble',
        breed: 'Vizsla',
        dob: '2020-02-29',
        description: 'Likes water',
        profilePicturePath: 'pets/p1/images/profile.jpg',
        profilePictureVersion: 'md5',
      },
    });
  });

  it('has no field that the file does not have', () => {
    const least: ExportedPet = { id: 'p1', name: 'Bramble', picture: null, edits: {} };
    expect(petOf(least, input).fields).toEqual({ name: 'Bramble' });
  });

  it.each<[string, Partial<ImportInput>]>([
    ['it is another document here', { isSameDocument: false }],
    ['its picture lies in another folder', { id: 'p2' }],
  ])('has no picture yet if %s', (_, changes) => {
    const { fields } = petOf(pet, { ...input, ...changes });
    expect(fields).not.toHaveProperty('profilePicturePath');
    expect(fields).not.toHaveProperty('profilePictureVersion');
  });

  it.each(['pets/p1/images/other.jpg', 'pets/p1/../p2/images/profile.jpg', 'pets/p1/'])(
    'does not name %s, which the server would refuse',
    (serverPath) => {
      const { fields } = petOf({ ...pet, picture: { file: null, serverPath } }, input);
      expect(fields).not.toHaveProperty('profilePicturePath');
    },
  );

  it('has no version of a picture without a path', () => {
    const picture = { file: null, serverVersion: 'md5' };
    expect(petOf({ ...pet, picture }, input).fields).not.toHaveProperty('profilePictureVersion');
  });
});

describe('the stamps of an imported document', () => {
  it('are those of the owner’s edits, so that a newer edit on the server wins', () => {
    expect(petOf(pet, input).edits).toEqual({ ...pet.edits, profilePictureVersion: 0 });
  });

  it('are never later than now, never before 1970, and whole', () => {
    const edits = { name: nowMs + 1, breed: -5, dob: 3.9, description: nowMs };
    expect(petOf({ ...pet, picture: null, edits }, input).edits).toEqual({
      name: nowMs,
      breed: 0,
      dob: 3,
      description: nowMs,
    });
  });

  it('are 0 for a field without one, so that any other edit wins', () => {
    const least: ExportedPet = { id: 'p1', name: 'Bramble', picture: null, edits: {} };
    expect(petOf(least, input).edits).toEqual({ name: 0 });
  });

  it('are kept for a field that was cleared, and only for known fields', () => {
    const edits = { breed: 7, colour: 8 };
    const least: ExportedPet = { id: 'p1', name: 'Bramble', picture: null, edits };
    expect(petOf(least, input).edits).toEqual({ name: 0, breed: 7 });
  });
});

describe('an imported entry', () => {
  it('is a new document of this owner that waits, with all of its content', () => {
    expect(entryOf(entry, 'p1', entryInput)).toMatchObject({
      collection: 'entries',
      id: 'e1',
      ownerId: 'u1',
      petId: 'p1',
      pending: 1,
      seq: null,
      fields: {
        createdDate: 5_000,
        type: 'voice-note',
        text: 'Ducks',
        transcript: 'done',
        formerTexts: '[]',
        fileLocation: 'pets/p1/audios/voice-note-1.webm',
        contentType: 'audio/webm',
        durationMs: 1_500,
        waveform: '0f',
      },
      edits: { text: 1, createdDate: 0 },
    });
  });

  it('of a note has no field of a recording', () => {
    const note = { ...entry, type: 'note', recording: null } as const;
    expect(Object.keys(entryOf(note, 'p1', entryInput).fields).toSorted()).toEqual(
      ['createdDate', 'formerTexts', 'text', 'transcript', 'type'].toSorted(),
    );
  });

  it.each<[string, string, Partial<ImportInput>]>([
    ['it is another document here', 'p1', { isSameDocument: false }],
    ['its recording lies in the folder of another dog', 'p2', {}],
  ])('does not name a file if %s', (_, petId, changes) => {
    const { fields } = entryOf(entry, petId, { ...entryInput, ...changes });
    expect(fields).not.toHaveProperty('fileLocation');
    expect(fields).toMatchObject({ contentType: 'audio/webm', durationMs: 1_500 });
  });

  it.each(['pets/p1/images/profile.jpg', 'pets/p1/audios/a/voice-note-1.webm', 'pets/p1/a.webm'])(
    'does not name %s, which the server would refuse',
    (serverPath) => {
      const { fields } = entryOf(
        { ...entry, recording: { file: null, serverPath } },
        'p1',
        entryInput,
      );
      expect(fields).not.toHaveProperty('fileLocation');
    },
  );

  it('waits for its transcript only if there is a recording to transcribe', () => {
    const waiting = { ...entry, transcript: 'waiting' } as const;
    const stateWith = (petId: string, changes: Partial<typeof entryInput>) =>
      entryOf(waiting, petId, { ...entryInput, ...changes }).fields['transcript'];
    expect(stateWith('p1', {})).toBe('waiting');
    expect(stateWith('p1', { hasBytes: true })).toBe('waiting');
    expect(stateWith('p2', { hasBytes: true })).toBe('waiting');
    expect(stateWith('p2', {})).toBe('failed');
    expect(stateWith('p1', { isSameDocument: false })).toBe('failed');
  });

  it('keeps any other state of its transcript, also without a recording', () => {
    expect(entryOf(entry, 'p2', entryInput).fields['transcript']).toBe('done');
  });
});
