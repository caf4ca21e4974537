import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzSeed } from '../../tests/support/fuzz-runs.ts';
import {
  asDeleted,
  contentFieldNames,
  feedKeyOf,
  isVisibleChange,
  newDocument,
  newerSchemaCode,
  nextStamp,
  withEdit,
  type LocalDocument,
} from './document.ts';
import { feedKey } from './feed-key.ts';
import { readFormerTexts } from './former-texts.ts';

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

  it('has instant 0 for a date that is no number', () => {
    const undated = { id: 'entry1', fields: { createdDate: '5000' } };
    expect(feedKeyOf(undated)).toBe(feedKey(0, 'entry1'));
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

  it('of a copy that this client cannot read is parked at once, and its deletion is not', () => {
    const unread: LocalDocument = { ...synced(pet, 7), code: newerSchemaCode };
    const base = { fields: pet.fields, edits: pet.edits };
    const parked = { pending: 2, code: newerSchemaCode, base, rev: unread.rev + 1 };
    expect(withEdit(unread, { name: 'Bram' }, 2_000)).toMatchObject(parked);
    expect(asDeleted(unread)).toMatchObject({ ...parked, deleted: true, pending: 1, code: null });
  });

  it('has a stamp above all it has seen, also with a clock that runs behind', () => {
    expect(nextStamp(500, { name: 9_000, breed: 3_000 })).toBe(9_001);
    expect(withEdit(pet, { breed: 'Vizsla' }, 10).edits).toEqual({ name: 1_000, breed: 1_001 });
  });

  it('keeps a replaced text until its own stamp, also with a clock that runs behind', () => {
    const { fields } = withEdit(entry, { text: 'Geese' }, 10);
    const former = readFormerTexts(fields['formerTexts']);
    expect(former).toEqual([{ text: 'Ducks', untilMs: 1_001 }]);
  });
});

describe('a delete', () => {
  it('leaves a waiting tombstone that remembers what it was forked from', () => {
    const tombstone = asDeleted(synced(pet, 7));
    expect([tombstone.fields, tombstone.edits]).toEqual([{}, {}]);
    expect(tombstone).toMatchObject({
      deleted: true,
      pending: 1,
      seq: 7,
      base: { fields: pet.fields },
    });
  });
});

describe('a new document', () => {
  it('waits, is not on the server, and has the stamp of its creation on each field', () => {
    expect(pet).toEqual({
      collection: 'pets',
      id: 'pet1',
      ownerId: 'owner1',
      petId: null,
      fields: { name: 'Bramble', breed: 'Labrador Retriever' },
      edits: { name: 1_000, breed: 1_000 },
      deleted: false,
      pending: 1,
      seq: null,
      base: null,
      rev: 1,
      code: null,
    });
  });
});

describe('any edits of any document', () => {
  const field = fc.constantFrom(...contentFieldNames.pets);
  const value = fc.oneof(fc.string(), fc.constant(null));
  const changes = fc.dictionary(field, value, { minKeys: 1 });
  const nowMs = fc.integer({ min: 0, max: 1_000_000 });
  const edits = fc.array(fc.record({ changes, nowMs }), { minLength: 1, maxLength: 6 });

  it('stamp each changed field above every stamp before, and no other field', () => {
    fc.assert(
      fc.property(edits, (history) => {
        let before = pet;
        for (const edit of history) {
          const after = withEdit(before, edit.changes, edit.nowMs);
          const above = Math.max(edit.nowMs, ...Object.values(before.edits).map((ms) => ms + 1));
          const changed = Object.fromEntries(
            Object.keys(edit.changes).map((name) => [name, above]),
          );
          expect(after.edits).toEqual({ ...before.edits, ...changed });
          before = after;
        }
      }),
      fuzzSeed,
    );
  });

  it('leave the last value of each field, and nothing where it was cleared', () => {
    fc.assert(
      fc.property(edits, (history) => {
        const edited = history.reduce(
          (document, edit) => withEdit(document, edit.changes, edit.nowMs),
          pet,
        );
        const expected = Object.assign({ ...pet.fields }, ...history.map((edit) => edit.changes));
        const kept = Object.entries(expected).filter(([, stored]) => stored !== null);
        expect(edited.fields).toEqual(Object.fromEntries(kept));
        expect(edited.rev).toBe(pet.rev + history.length);
      }),
      fuzzSeed,
    );
  });

  it('change nothing of the document that they are made from', () => {
    fc.assert(
      fc.property(changes, nowMs, (change, ms) => {
        const before = structuredClone(pet);
        withEdit(pet, change, ms);
        asDeleted(pet);
        expect(pet).toEqual(before);
      }),
      fuzzSeed,
    );
  });
});

describe('the deletion of a document', () => {
  it('that is not on the server has no base', () => {
    expect(asDeleted(pet).base).toBeNull();
  });

  it('of an edited copy keeps the base that the edit had', () => {
    const edited = withEdit(synced(pet, 7), { name: 'Bram' }, 2_000);
    expect(asDeleted(edited).base).toEqual(edited.base);
  });

  it('counts as an edit, and takes the reason of a parked copy away', () => {
    const parked: LocalDocument = { ...pet, pending: 2, code: 'refused:permission-denied', rev: 4 };
    expect(asDeleted(parked)).toMatchObject({ pending: 1, code: null, rev: 5 });
  });
});

it('a change is visible unless it deletes what the server never had', () => {
  expect(isVisibleChange({ deleted: false, seq: null })).toBe(true);
  expect(isVisibleChange({ deleted: false, seq: 7 })).toBe(true);
  expect(isVisibleChange({ deleted: true, seq: 7 })).toBe(true);
  expect(isVisibleChange({ deleted: true, seq: 0 })).toBe(true);
  expect(isVisibleChange({ deleted: true, seq: null })).toBe(false);
});
