import { describe, expect, it } from 'vitest';
import {
  asDeleted,
  newerSchemaCode,
  withEdit,
  type LocalDocument,
} from '../../schemas/documents/document.ts';
import { clean, newPet } from '../../tests/support/fixtures/sync-documents.ts';
import { markUnsynced } from './mark-unsynced.ts';

const pet = newPet('p1');
const synced = clean(pet, 7);

describe('a copy that forgets the server’s state', () => {
  it('D3.7 waits to be compared with the server again', () => {
    expect(markUnsynced(synced)).toEqual({ ...synced, pending: 1, seq: null, base: null });
  });

  it('D3.7 keeps an edit that waits, without the base that it was forked from', () => {
    const edited = withEdit(synced, { name: 'Max' }, 2_000);
    expect(edited.base).not.toBeNull();
    expect(markUnsynced(edited)).toEqual({ ...edited, seq: null, base: null });
  });

  it('D3.7 stays parked', () => {
    const parked: LocalDocument = { ...synced, pending: 2, code: 'refused:permission-denied' };
    expect(markUnsynced(parked)).toMatchObject({ pending: 2, code: parked.code, seq: null });
  });

  it('D3.7 of a deletion still sends it', () => {
    const deleted = asDeleted(synced);
    expect(markUnsynced(deleted)).toMatchObject({ deleted: true, pending: 1, seq: null });
    const sent = clean(deleted, 8);
    expect(markUnsynced(sent)).toMatchObject({ deleted: true, pending: 1, seq: null });
  });

  it('D3.7 is never sent if this client could not read it', () => {
    const unread: LocalDocument = { ...synced, code: newerSchemaCode };
    expect(markUnsynced(unread)).toMatchObject({ pending: 0, seq: null, code: newerSchemaCode });
    const edited: LocalDocument = { ...unread, pending: 2 };
    expect(markUnsynced(edited)).toMatchObject({ pending: 2, seq: null });
  });

  it('D3.7 is the same object if it has nothing to forget, so that nothing is written', () => {
    expect(markUnsynced(pet)).toBe(pet);
    const once = markUnsynced(synced);
    expect(markUnsynced(once)).toBe(once);
    const unread: LocalDocument = { ...synced, code: newerSchemaCode, seq: null };
    expect(markUnsynced(unread)).toBe(unread);
  });

  it.each([{ seq: 7 }, { base: { fields: {}, edits: {} } }])(
    'D3.7 is another object if it has %j',
    (changes) => {
      const marked = markUnsynced({ ...pet, ...changes });
      expect(marked).toEqual(pet);
    },
  );
});
