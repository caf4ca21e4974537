import { describe, expect, it } from 'vitest';
import { hasForeignFile, placeFile, unplacedPicture, withoutFile } from './place-file.ts';

const voiceNote = {
  collection: 'entries',
  id: 'e1',
  petId: 'p1',
  fields: { fileLocation: 'pets/p1/audios/a.webm', text: 'Ducks' },
} as const;

const pet = {
  collection: 'pets',
  id: 'p1',
  petId: null,
  fields: {
    name: 'Bramble',
    profilePicturePath: 'pets/p1/images/profile.jpg',
    profilePictureVersion: 'md5',
  },
} as const;

it('fields without the file keep everything else', () => {
  expect(withoutFile(pet.fields)).toEqual({ name: 'Bramble' });
  expect(withoutFile(voiceNote.fields)).toEqual({ text: 'Ducks' });
  expect(withoutFile({})).toEqual({});
});

describe('the job that places a file', () => {
  it('names the recording of an entry, which has no hash', () => {
    expect(placeFile(voiceNote, 'e0', 7)).toEqual([
      'place-file:e1',
      {
        kind: 'place-file',
        collection: 'entries',
        documentId: 'e1',
        sourceId: 'e0',
        objectName: 'pets/p1/audios/a.webm',
        version: null,
        chosenAtMs: 7,
      },
    ]);
  });

  it('names the picture of a pet with its hash', () => {
    const [, job] = placeFile(pet, 'p0', 7);
    expect(job).toMatchObject({
      collection: 'pets',
      objectName: 'pets/p1/images/profile.jpg',
      version: 'md5',
    });
  });

  it('has no name of a file that was never uploaded', () => {
    const [, job] = placeFile({ ...pet, fields: { profilePictureVersion: 'md5' } }, 'p0', 7);
    expect(job).toMatchObject({ objectName: null, version: 'md5' });
  });

  it('has no hash that is not text', () => {
    const fields = { ...pet.fields, profilePictureVersion: 7 };
    expect(placeFile({ ...pet, fields }, 'p0', 7)[1].version).toBeNull();
  });
});

describe('a file', () => {
  it('is at home in the folder of the pet', () => {
    expect(hasForeignFile(pet)).toBe(false);
    expect(hasForeignFile(voiceNote)).toBe(false);
  });

  it('is foreign in the folder of another pet, also of one whose id begins alike', () => {
    expect(hasForeignFile({ ...voiceNote, petId: 'p2' })).toBe(true);
    expect(hasForeignFile({ ...voiceNote, petId: 'p' })).toBe(true);
    expect(hasForeignFile({ ...pet, id: 'p2' })).toBe(true);
  });

  it('that does not exist is not foreign', () => {
    expect(hasForeignFile({ ...voiceNote, fields: {} })).toBe(false);
    expect(hasForeignFile({ ...voiceNote, fields: { fileLocation: '' } })).toBe(false);
  });
});

describe('a picture that is not placed', () => {
  const { profilePicturePath, profilePictureVersion } = pet.fields;

  it('becomes a conflict version, as chosen when it was to be placed', () => {
    const [, job] = placeFile(pet, 'p1', 7);
    const edits = { profilePicturePath: 7, profilePictureVersion: 7 };
    expect(unplacedPicture(job, 9).map(([, version]) => version)).toMatchObject([
      { documentId: 'p1', fields: { profilePicturePath, profilePictureVersion }, edits },
    ]);
  });

  it.each([
    ['of another dog', placeFile(pet, 'p0', 7)[1]],
    ['without a name', placeFile({ ...pet, fields: { profilePictureVersion } }, 'p1', 7)[1]],
    ['without a hash', placeFile({ ...pet, fields: { profilePicturePath } }, 'p1', 7)[1]],
    ['that no record names', null],
  ])('becomes none: one %s', (_, record) => {
    expect(unplacedPicture(record, 9)).toEqual([]);
  });
});
