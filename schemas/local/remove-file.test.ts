import { describe, expect, it } from 'vitest';
import { removeFileJobId } from './local-record.ts';
import { fileOf, removal, removalsOf } from './remove-file.ts';

const objectName = 'pets/p1/audios/a.webm';
const entry = {
  collection: 'entries',
  id: 'e1',
  fields: { fileLocation: objectName },
  seq: 7,
} as const;

describe('the file of a document', () => {
  it('is the picture of a pet, and the recording of an entry', () => {
    const fields = { fileLocation: 'recording', profilePicturePath: 'picture' };
    expect(fileOf({ collection: 'pets', fields })).toBe('picture');
    expect(fileOf({ collection: 'entries', fields })).toBe('recording');
  });

  it.each([{}, { fileLocation: '' }, { fileLocation: 7 }])('does not exist in %j', (fields) => {
    expect(fileOf({ collection: 'entries', fields })).toBeNull();
  });
});

describe('the removal of a file', () => {
  const job = {
    kind: 'remove-file',
    collection: 'entries',
    documentId: 'e1',
    objectName,
    notBeforeMs: 0,
  };

  it('names the document, the file and the earliest time', () => {
    const id = removeFileJobId({ documentId: 'e1', objectName });
    expect(removalsOf(entry)).toEqual([[id, job]]);
    expect(removalsOf(entry, 500)).toEqual([[id, { ...job, notBeforeMs: 500 }]]);
    expect(removal(entry, objectName)).toEqual([id, job]);
    expect(removal(entry, objectName, 500)).toEqual([id, { ...job, notBeforeMs: 500 }]);
  });

  it('is not needed for a document that the server never had', () => {
    expect(removalsOf({ ...entry, seq: null })).toEqual([]);
  });

  it('is needed for a document that an earlier client wrote without a seq', () => {
    expect(removalsOf({ ...entry, seq: 0 })).toHaveLength(1);
  });

  it('is not needed without a file', () => {
    expect(removalsOf({ ...entry, fields: {} })).toEqual([]);
  });
});

describe('the name of a job', () => {
  it('tells the files of one document apart', () => {
    const pet = { collection: 'pets', id: 'p1' } as const;
    const ids = ['jpg', 'png'].map((type) => removal(pet, `pets/p1/images/profile.${type}`)[0]);
    expect(new Set(ids).size).toBe(2);
    const longest = removal({ collection: 'pets', id: 'x'.repeat(128) }, `a.${'y'.repeat(50)}`)[0];
    expect(longest.length).toBeLessThanOrEqual(160);
  });
});
