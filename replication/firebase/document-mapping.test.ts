import { Timestamp } from 'firebase/firestore/lite';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contentFieldNames } from '../../schemas/documents/document.ts';
import { fuzzSeed } from '../../tests/support/fuzz-runs.ts';
import type { DocumentRef, RemoteWrite } from '../ports.ts';
import { toFirestoreWrite, toRemoteDocument } from './document-mapping.ts';

const petRef: DocumentRef = { collection: 'pets', id: 'p1', petId: null };
const entryRef: DocumentRef = { collection: 'entries', id: 'e1', petId: 'p1' };

const storedPet = {
  ownerId: 'owner',
  name: 'Bramble',
  dob: Timestamp.fromDate(new Date('2020-02-29T00:00:00Z')),
  seq: 7,
  deleted: false,
  edits: { name: 5 },
  updatedAt: Timestamp.fromMillis(1_700_000_000_123),
};

const storedEntry = {
  createdBy: 'owner',
  createdDate: Timestamp.fromMillis(1_600_000_000_999),
  type: 'note',
  text: 'Ducks',
  seq: 8,
  deleted: false,
  edits: {},
};

describe('reading', () => {
  it('gives dates and instants in the units of this device', () => {
    expect(toRemoteDocument(petRef, storedPet)).toEqual({
      ...petRef,
      ownerId: 'owner',
      fields: { name: 'Bramble', dob: '2020-02-29' },
      edits: { name: 5 },
      deleted: false,
      seq: 7,
      updatedAtMs: 1_700_000_000_123,
      newerSchema: false,
    });
    expect(toRemoteDocument(entryRef, storedEntry)).toMatchObject({
      ownerId: 'owner',
      fields: { createdDate: 1_600_000_000_999, type: 'note', text: 'Ducks' },
      newerSchema: false,
    });
  });

  it('takes a document of an earlier client, without what sync adds', () => {
    const old = { ownerId: 'owner', name: 'Bramble', breed: null };
    expect(toRemoteDocument(petRef, old)).toEqual({
      ...petRef,
      ownerId: 'owner',
      fields: { name: 'Bramble' },
      edits: {},
      deleted: false,
      seq: 0,
      updatedAtMs: null,
      newerSchema: false,
    });
  });

  it.each([
    ['a type that it does not know', { type: 'photo' }],
    ['a state of a transcript that it does not know', { transcript: 'translated' }],
    ['a field of another type', { text: 5 }],
    ['an instant that is none', { createdDate: 'yesterday' }],
    ['a version above its own', { schemaVersion: 2 }],
  ])('marks a document of a newer client by %s, and keeps what it can read', (_, change) => {
    const found = toRemoteDocument(entryRef, { ...storedEntry, ...change });
    expect(found.newerSchema).toBe(true);
    expect(Object.keys(found.fields)).toContain('type');
    expect(found.seq).toBe(8);
  });

  it('marks a dog of a newer client by a date that it cannot read', () => {
    const found = toRemoteDocument(petRef, { ...storedPet, dob: '2020-02-29' });
    expect(found.newerSchema).toBe(true);
    expect(found.fields).toEqual({ name: 'Bramble' });
  });

  it('leaves unknown fields aside', () => {
    const found = toRemoteDocument(petRef, { ...storedPet, weight: 20 });
    expect(found).toMatchObject({ newerSchema: false });
    expect(found.fields).not.toHaveProperty('weight');
  });

  it.each([-1, 1.5, 'x', null])('treats the seq %s as none', (seq) => {
    expect(toRemoteDocument(petRef, { ...storedPet, seq }).seq).toBe(0);
  });

  it('gives a tombstone no content, whatever is left in it', () => {
    const { deleted, fields, edits } = toRemoteDocument(petRef, { ...storedPet, deleted: true });
    expect({ deleted, fields, edits }).toEqual({ deleted: true, fields: {}, edits: {} });
  });
});

describe('writing', () => {
  const write: RemoteWrite = {
    ...petRef,
    ownerId: 'owner',
    fields: { name: 'Bramble', dob: '2020-02-29' },
    edits: { name: 5 },
    deleted: false,
    seq: 9,
  };

  it('names every field that it knows, and clears those that are not set', () => {
    const { data, mask } = toFirestoreWrite(write);
    expect(mask?.toSorted()).toEqual(
      [
        'breed',
        'deleted',
        'description',
        'dob',
        'edits',
        'name',
        'ownerId',
        'profilePicturePath',
        'profilePictureVersion',
        'seq',
        'updatedAt',
      ].toSorted(),
    );
    expect(data['name']).toBe('Bramble');
    expect(data['breed']).toHaveProperty('_methodName', 'deleteField');
    expect(data['updatedAt']).toHaveProperty('_methodName', 'serverTimestamp');
  });

  it('writes back the date that was read', () => {
    const { data } = toFirestoreWrite(write);
    expect(toRemoteDocument(petRef, { ...storedPet, dob: data['dob'] }).fields['dob']).toBe(
      '2020-02-29',
    );
  });

  it('replaces the whole document by a tombstone', () => {
    const { data, mask } = toFirestoreWrite({ ...write, fields: {}, edits: {}, deleted: true });
    expect(mask).toBeNull();
    expect(Object.keys(data).toSorted()).toEqual(['deleted', 'ownerId', 'seq', 'updatedAt']);
  });
});

describe('any content', () => {
  const day = fc
    .date({ min: new Date('1900-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));
  const text = fc.string();
  const petFields = fc.record(
    { name: text, breed: text, dob: day, profilePicturePath: text, description: text },
    { requiredKeys: [] },
  );
  const entryFields = fc.record(
    {
      createdDate: fc.nat(),
      type: fc.constantFrom('note', 'voice-note'),
      text,
      transcript: fc.constantFrom('waiting', 'edited'),
      durationMs: fc.nat(),
    },
    { requiredKeys: [] },
  );
  const written = (ref: DocumentRef, fields: RemoteWrite['fields']): RemoteWrite => ({
    ...ref,
    ownerId: 'owner',
    fields,
    edits: Object.fromEntries(Object.keys(fields).map((name) => [name, 5])),
    deleted: false,
    seq: 7,
  });

  it.each([
    { ref: petRef, contents: petFields },
    { ref: entryRef, contents: entryFields },
  ])('of $ref.collection comes back as it was written', ({ ref, contents }) => {
    fc.assert(
      fc.property(contents, (content) => {
        const fields = { ...content };
        const write = written(ref, fields);
        const { data } = toFirestoreWrite(write);
        // The server keeps no field that was deleted, and has its own time of the commit.
        const stored = Object.fromEntries(
          Object.entries(data).filter(([name]) => name in fields || !isContent(ref, name)),
        );
        expect(toRemoteDocument(ref, { ...stored, updatedAt: Timestamp.fromMillis(9) })).toEqual({
          ...write,
          updatedAtMs: 9,
          newerSchema: false,
        });
      }),
      fuzzSeed,
    );
  });
});

const isContent = ({ collection }: DocumentRef, name: string): boolean =>
  new Set<string>(contentFieldNames[collection]).has(name);
