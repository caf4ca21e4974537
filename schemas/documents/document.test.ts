import { describe, expect, it } from 'vitest';
import {
  asDeleted,
  feedKeyOf,
  newDocument,
  newerSchemaCode,
  nextStamp,
  withEdit,
  type LocalDocument,
} from './document.ts';
import { feedKey } from './feed-key.ts';

const pet = newDocument(
  { collection: 'pets', id: 'pet1', ownerId: 'owner1', petId: null },
  { name: 'Bramble', breed: 'Labrador Retriever' },
  1_000,
);

const entry = newDocument(
  { collection: 'entries', id: 'entry1', ownerId: 'owner1', petId: 'pet1' },
  { createdDate: 5_000, type: 'note', text: 'Ducks' },
  1_000,
);

function synced(document: LocalDocument, seq: number): LocalDocument {
  return { ...document, pending: 0, seq };
}

describe('the feed key of an entry', () => {
  it('is that of its date', () => {
    expect(feedKeyOf(entry)).toBe(feedKey(5_000, 'entry1'));
  });

  it('has instant 0 without a date, as of a tombstone', () => {
    expect(feedKeyOf(asDeleted(synced(entry, 7)))).toBe(feedKey(0, 'entry1'));
  });
});

describe('an edit', () => {
  it('waits, is stamped, and keeps the server state of a clean copy as its base', () => {
    const edited = withEdit(synced(pet, 7), { name: 'Bram' }, 2_000);
    expect(edited).toMatchObject({
      fields: { name: 'Bram', breed: 'Labrador Retriever' },
      edits: { name: 2_000, breed: 1_000 },
      pending: 1,
      seq: 7,
      base: { fields: pet.fields, edits: pet.edits },
      rev: 2,
    });
  });

  it('keeps the first base when it is edited again', () => {
    const once = withEdit(synced(pet, 7), { name: 'Bram' }, 2_000);
    const twice = withEdit(once, { name: 'Bramley' }, 3_000);
    expect(twice.base).toEqual(once.base);
  });

  it('of a document that is not on the server has no base', () => {
    expect(withEdit(pet, { name: 'Bram' }, 2_000).base).toBeNull();
  });

  it('clears a field with null', () => {
    expect(withEdit(pet, { breed: null }, 2_000).fields).toEqual({ name: 'Bramble' });
  });

  it('of a parked document is tried again', () => {
    const parked: LocalDocument = { ...pet, pending: 2, code: 'refused:permission-denied' };
    expect(withEdit(parked, { name: 'Bram' }, 2_000)).toMatchObject({ pending: 1, code: null });
  });

  it('of a copy that this client cannot read is parked at once, and so is its deletion', () => {
    const unread: LocalDocument = { ...synced(pet, 7), code: newerSchemaCode };
    const base = { fields: pet.fields, edits: pet.edits };
    const parked = { pending: 2, code: newerSchemaCode, base, rev: unread.rev + 1 };
    expect(withEdit(unread, { name: 'Bram' }, 2_000)).toMatchObject(parked);
    expect(asDeleted(unread)).toMatchObject({ ...parked, deleted: true });
  });

  it('has a stamp above all it has seen, also with a clock that runs behind', () => {
    expect(nextStamp(500, { name: 9_000, breed: 3_000 })).toBe(9_001);
    expect(withEdit(pet, { breed: 'Vizsla' }, 10).edits).toEqual({ name: 1_000, breed: 1_001 });
  });
});

describe('a delete', () => {
  it('leaves a waiting tombstone that remembers what it was forked from', () => {
    expect(asDeleted(synced(pet, 7))).toMatchObject({
      deleted: true,
      fields: {},
      edits: {},
      pending: 1,
      seq: 7,
      base: { fields: pet.fields },
    });
  });
});
