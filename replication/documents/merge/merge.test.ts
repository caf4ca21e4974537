import { describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import { asDeleted, withEdit } from '../../../schemas/documents/document.ts';
import {
  clean,
  newEntry,
  newPet,
  onServer,
} from '../../../tests/support/fixtures/sync-documents.ts';
import { mergeRemote } from './merge.ts';

const nowMs = 9_000;
const origin = clean(newPet('p1', { name: 'Rex', breed: 'Vizsla', description: 'shy' }), 3);

function editedOnServer(changes: Parameters<typeof withEdit>[1], atMs: number, seq = 5) {
  return onServer(withEdit(origin, changes, atMs), seq);
}

describe('merging without a conflict', () => {
  it('D3.2 takes a document that is new here', () => {
    const merged = mergeRemote(null, onServer(origin, 4), nowMs);
    expect(merged).toEqual({ document: { ...origin, seq: 4, rev: 0 }, versions: [] });
  });

  it('D3.2 lets a clean copy take the state of the server, and keeps its rev', () => {
    const server = editedOnServer({ name: 'Max' }, 2_000);
    const { document, versions } = mergeRemote({ ...origin, rev: 7 }, server, nowMs);
    expect(document).toMatchObject({ fields: server.fields, edits: server.edits, seq: 5, rev: 7 });
    expect(document).toMatchObject({ pending: 0, base: null });
    expect(versions).toEqual([]);
  });

  it('D5.11 leaves a copy that has seen as much already, as the very same object', () => {
    expect(mergeRemote(origin, onServer(origin, 3), nowMs).document).toBe(origin);
    expect(mergeRemote(origin, editedOnServer({ name: 'Old' }, 1, 2), nowMs).document).toBe(origin);
    const waiting = withEdit(origin, { name: 'Max' }, 2_000);
    expect(mergeRemote(waiting, onServer(origin, 3), nowMs).document).toBe(waiting);
  });

  it('D5.11 makes a copy clean if its edit restores the old value', () => {
    const waiting = withEdit(withEdit(origin, { name: 'Max' }, 2_000), { name: 'Rex' }, 2_001);
    const { document } = mergeRemote(waiting, onServer(origin, 3), nowMs);
    expect(document).toMatchObject({ pending: 0, base: null, seq: 3, edits: origin.edits });
  });

  it('D5.1 takes what only the server changed', () => {
    const local = withEdit(origin, { name: 'Max' }, 2_000);
    const { document, versions } = mergeRemote(
      local,
      editedOnServer({ breed: 'Pointer' }, 1),
      nowMs,
    );
    expect(document.fields).toEqual({ name: 'Max', breed: 'Pointer', description: 'shy' });
    expect(versions).toEqual([]);
  });

  it('D5.1 keeps what only this device changed, also a cleared field, and waits on the new base', () => {
    const local = withEdit(origin, { description: null }, 2_000);
    const server = editedOnServer({ name: 'Max' }, 8_000);
    const { document } = mergeRemote(local, server, nowMs);
    expect(document.fields).toEqual({ name: 'Max', breed: 'Vizsla' });
    expect(document).toMatchObject({ pending: 1, seq: 5, rev: local.rev });
    expect(document.base).toEqual({ fields: server.fields, edits: server.edits });
  });

  it('D5.1 sees no conflict in the same value on both sides, and becomes clean', () => {
    const local = withEdit(origin, { name: 'Max' }, 2_000);
    const server = editedOnServer({ name: 'Max' }, 4_000);
    const { document, versions } = mergeRemote(local, server, nowMs);
    expect(document).toMatchObject({ pending: 0, base: null, seq: 5, edits: server.edits });
    expect(versions).toEqual([]);
  });
});

describe('merging a conflict', () => {
  it('D5.2 gives a field to the higher stamp, here the server, and keeps the other', () => {
    const local = withEdit(origin, { name: 'Mine' }, 2_000);
    const { document, versions } = mergeRemote(
      local,
      editedOnServer({ name: 'Theirs' }, 3_000),
      nowMs,
    );
    expect(document.fields['name']).toBe('Theirs');
    expect(document.pending).toBe(0);
    expect(versions).toEqual([
      {
        kind: 'conflict-version',
        collection: 'pets',
        documentId: 'p1',
        petId: null,
        fields: { name: 'Mine' },
        edits: { name: 2_000 },
        reason: 'other-edit',
        side: 'local',
        keptAtMs: nowMs,
      },
    ]);
  });

  it('D5.2 gives a field to the higher stamp, here this device, and keeps the other', () => {
    const local = withEdit(origin, { name: 'Mine' }, 5_000);
    const { document, versions } = mergeRemote(
      local,
      editedOnServer({ name: 'Theirs' }, 3_000),
      nowMs,
    );
    expect(document).toMatchObject({ pending: 1, seq: 5 });
    expect(document.fields['name']).toBe('Mine');
    expect(versions).toMatchObject([{ fields: { name: 'Theirs' }, side: 'server' }]);
  });

  it('D5.2 can lose on one field and win on another', () => {
    const local = withEdit(withEdit(origin, { name: 'Mine' }, 2_000), { breed: 'Setter' }, 6_000);
    const first = withEdit(origin, { name: 'Theirs' }, 3_000);
    const server = onServer(withEdit(first, { breed: 'Pointer' }, 4_000), 5);
    const { document, versions } = mergeRemote(local, server, nowMs);
    expect(document.fields).toMatchObject({ name: 'Theirs', breed: 'Setter' });
    expect(versions).toMatchObject([
      { fields: { name: 'Mine' }, side: 'local' },
      { fields: { breed: 'Pointer' }, side: 'server' },
    ]);
  });

  it('D5.2 keeps a cleared field that lost by its stamp', () => {
    const local = withEdit(origin, { description: null }, 2_000);
    const server = editedOnServer({ description: 'bold' }, 3_000);
    const { versions } = mergeRemote(local, server, nowMs);
    expect(versions).toEqual([
      expect.objectContaining({ fields: {}, edits: { description: 2_000 }, side: 'local' }),
    ]);
  });

  it('D5.3 decides equal stamps by the values, alike on both devices', () => {
    const mine = withEdit(origin, { name: 'Aaa' }, 2_000);
    const theirs = withEdit(origin, { name: 'Bbb' }, 2_000);
    const here = mergeRemote(mine, onServer(theirs, 5), nowMs).document;
    const there = mergeRemote(theirs, onServer(mine, 5), nowMs).document;
    expect(here.fields).toEqual(there.fields);
    expect(here.fields['name']).toBe('Bbb');
  });

  it('D5.4 decides fields of a group together', () => {
    const mine = { profilePicturePath: 'mine', profilePictureVersion: 'm1' };
    const theirs = { profilePicturePath: 'theirs', profilePictureVersion: 't1' };
    const local = withEdit(origin, mine, 4_000);
    const { document, versions } = mergeRemote(local, editedOnServer(theirs, 3_000), nowMs);
    expect(document.fields).toMatchObject(mine);
    expect(versions).toMatchObject([{ fields: theirs }]);
  });

  it.each(['text', 'transcript'])('D5.4 decides a group by its only stamp, of its %s', (name) => {
    const entry = clean(newEntry({ id: 'e1', petId: 'p1' }), 3);
    const local = { ...withEdit(entry, { text: 'mine' }, 4_000), edits: { [name]: 4_000 } };
    const other = name === 'text' ? 'transcript' : 'text';
    const theirs = withEdit(entry, { text: 'theirs' }, 3_000);
    const server = onServer({ ...theirs, edits: { [other]: 3_000 } }, 5);
    expect(mergeRemote(local, server, nowMs).document.fields['text']).toBe('mine');
  });

  it('D5.5 never changes the date, type and dog that the server has, and sends the rest there', () => {
    const entry = clean(newEntry({ id: 'e1', petId: 'p1' }), 3);
    const edited = withEdit(entry, { createdDate: 77, type: 'mine', text: 'new' }, 9_000);
    const local = { ...edited, petId: 'gone', pending: 2, code: 'pet-deleted' } as const;
    const server = onServer(withEdit(entry, { createdDate: 55 }, 2_000), 5);
    const { document, versions } = mergeRemote(local, server, nowMs);
    const fields = { createdDate: 55, type: 'note', text: 'new' };
    expect(document).toMatchObject({ fields, petId: 'p1', pending: 1, code: null });
    expect(versions).toEqual([]);
  });

  it('D5.5 gives the date and type to a server that lacks them', () => {
    const entry = clean(newEntry({ id: 'e1', petId: 'p1' }), 3);
    const local = { ...withEdit(entry, { text: 'new' }, 9_000), base: null };
    const server = onServer({ ...entry, fields: { text: 'bare' }, edits: {} }, 5);
    expect(mergeRemote(local, server, nowMs).document.fields).toMatchObject({ type: 'note' });
  });

  it('D5.10 carries the stamps of the side that each field came from', () => {
    const local = withEdit(origin, { name: 'Mine' }, 5_000);
    const server = editedOnServer({ name: 'Theirs', breed: 'Pointer' }, 3_000);
    const { edits } = mergeRemote(local, server, nowMs).document;
    expect(edits).toEqual({ name: 5_000, breed: 3_000, description: 1_000 });
  });

  it('D5.10 carries the later stamp of a value that both sides have', () => {
    const local = withEdit({ ...origin, edits: { breed: 1_000 } }, { name: 'Mine' }, 4_000);
    const fields = { ...origin.fields, name: 'Theirs' };
    const edits = { name: 3_000, breed: 900, description: 7_000 };
    const { document } = mergeRemote(local, onServer({ ...origin, fields, edits }, 5), nowMs);
    expect(document.edits).toEqual({ name: 4_000, breed: 1_000, description: 7_000 });
  });

  it('D5.10 leaves stamps of unknown fields to the server', () => {
    const local = withEdit(origin, { name: 'Mine' }, 5_000);
    const server = editedOnServer({ breed: 'Pointer' }, 3_000);
    const withFuture = { ...server, edits: { ...server.edits, future: 42 } };
    expect(mergeRemote(local, withFuture, nowMs).document.edits).toMatchObject({ future: 42 });
  });
});

describe('merging deletions', () => {
  it('D5.7 lets a deletion win over an edit here, and keeps the edit', () => {
    const local = withEdit(origin, { name: 'Mine' }, 9_000);
    const { document, versions } = mergeRemote(local, onServer(asDeleted(origin), 5), nowMs);
    expect(document).toEqual(
      expect.objectContaining({ deleted: true, fields: {}, edits: {}, pending: 0, seq: 5 }),
    );
    const kept = { fields: local.fields, reason: 'deleted', side: 'local' };
    expect(versions).toMatchObject([kept]);
  });

  it('D5.7 lets a deletion here win over an edit elsewhere, and keeps the edit', () => {
    const server = editedOnServer({ name: 'Theirs' }, 9_000);
    const { document, versions } = mergeRemote(asDeleted(origin), server, nowMs);
    expect(document).toMatchObject({ deleted: true, pending: 1, seq: 5 });
    expect(document.base).toEqual({ fields: server.fields, edits: server.edits });
    expect(versions).toMatchObject([{ fields: server.fields, reason: 'deleted', side: 'server' }]);
  });

  it('D5.7 keeps nothing that nobody has changed', () => {
    const unchanged = onServer(origin, 5);
    expect(mergeRemote(asDeleted(origin), unchanged, nowMs).versions).toEqual([]);
    const restamped = { ...withEdit(origin, { name: 'Rex' }, 9_000) };
    expect(mergeRemote(restamped, onServer(asDeleted(origin), 5), nowMs).versions).toEqual([]);
  });

  it('D5.7 is clean when both deleted', () => {
    const { document, versions } = mergeRemote(
      asDeleted(origin),
      onServer(asDeleted(origin), 5),
      nowMs,
    );
    expect(document).toMatchObject({ deleted: true, pending: 0, base: null, seq: 5 });
    expect(versions).toEqual([]);
  });

  it('D2.12 deletes what comes after its tombstone was obsolete', () => {
    const obsolete = { ...asDeleted(newPet('p1')), pending: 0 } as const;
    const { document, versions } = mergeRemote(obsolete, onServer(origin, 5), nowMs);
    expect(document).toMatchObject({ deleted: true, pending: 1, seq: 5 });
    expect(versions).toMatchObject([{ side: 'server', reason: 'deleted' }]);
    const gone = onServer(asDeleted(origin), 5);
    expect(mergeRemote(obsolete, gone, nowMs).document).toMatchObject({ pending: 0, seq: 5 });
  });

  it('D5.8 keeps the content when nobody knows whether it was changed', () => {
    const local = { ...withEdit(origin, { name: 'Rex' }, 9_000), base: null, seq: null };
    expect(mergeRemote(local, onServer(asDeleted(origin), 5), nowMs).versions).toHaveLength(1);
    const gone = { ...asDeleted(origin), base: null, seq: null };
    expect(mergeRemote(gone, onServer(origin, 5), nowMs).versions).toMatchObject([
      { side: 'server' },
    ]);
  });
});

describe('merging without an ancestor', () => {
  const unknown = { base: null, seq: null, pending: 1 } as const;

  it('D5.8 decides every difference by the stamps', () => {
    const local = { ...withEdit(origin, { name: 'Mine' }, 5_000), ...unknown };
    const server = editedOnServer({ name: 'Theirs', breed: 'Pointer' }, 3_000);
    const { document, versions } = mergeRemote(local, server, nowMs);
    expect(document.fields).toMatchObject({ name: 'Mine', breed: 'Pointer' });
    expect(versions).toMatchObject([
      { side: 'local', fields: { breed: 'Vizsla' } },
      { side: 'server' },
    ]);
  });

  it('D5.8 takes a missing stamp for the oldest', () => {
    const local = { ...origin, ...unknown, fields: { name: 'Mine' }, edits: {} };
    const server = onServer({ ...origin, fields: { name: 'Theirs' }, edits: { name: 1 } }, 5);
    expect(mergeRemote(local, server, nowMs).document.fields).toEqual({ name: 'Theirs' });
  });

  it('D5.8 is clean when the server has the same', () => {
    const { document, versions } = mergeRemote(
      { ...origin, ...unknown },
      onServer(origin, 8),
      nowMs,
    );
    expect(document).toMatchObject({ pending: 0, seq: 8, base: null });
    expect(versions).toEqual([]);
  });
});

describe('merging parked, unnumbered and newer documents', () => {
  const parked = {
    ...withEdit(origin, { name: 'Mine' }, 5_000),
    pending: 2,
    code: 'refused:x',
  } as const;

  it('D8.4 leaves a document parked, forked from the new state', () => {
    const { document } = mergeRemote(parked, editedOnServer({ name: 'Theirs' }, 3_000), nowMs);
    expect(document).toMatchObject({ pending: 2, code: 'refused:x', seq: 5 });
    expect(document.base?.fields['name']).toBe('Theirs');
  });

  it('D8.6 tries a refused document again when the merge has changed it', () => {
    const { document } = mergeRemote(parked, editedOnServer({ breed: 'Pointer' }, 3_000), nowMs);
    expect(document).toMatchObject({ pending: 1, code: null });
    const gone = { ...parked, code: 'pet-deleted' };
    const kept = mergeRemote(gone, editedOnServer({ breed: 'Pointer' }, 3_000), nowMs).document;
    expect(kept).toMatchObject({ pending: 2, code: 'pet-deleted' });
  });

  it('D9.1 lets a document without a seq wait for one', () => {
    const { document } = mergeRemote(null, onServer(origin, 0), nowMs);
    const base = { fields: origin.fields, edits: origin.edits };
    expect(document).toMatchObject({ pending: 1, seq: 0, base, code: null });
    expect(mergeRemote(document, onServer(origin, 0), nowMs).document).toEqual(document);
  });

  it('D9.1 merges what an earlier client changed in a document without a seq', () => {
    const adopted = mergeRemote(null, onServer(origin, 0), nowMs).document;
    const edited = withEdit(adopted, { name: 'Mine' }, 5_000);
    const server = onServer({ ...origin, fields: { ...origin.fields, breed: 'Pointer' } }, 0);
    const { document } = mergeRemote(edited, server, nowMs);
    expect(document.fields).toMatchObject({ name: 'Mine', breed: 'Pointer' });
  });

  it('D9.3 shows a document of a newer schema as it is, clean and marked', () => {
    const server = onServer(origin, 5, true);
    const expected = { pending: 0, seq: 5, code: 'newer-schema' };
    expect(mergeRemote(null, server, nowMs).document).toMatchObject(expected);
    expect(mergeRemote(origin, server, nowMs).document).toMatchObject(expected);
  });

  it('D9.3 takes it as any other once it can be read', () => {
    const shown = mergeRemote(origin, onServer(origin, 5, true), nowMs).document;
    expect(mergeRemote(shown, onServer(origin, 5), nowMs).document.code).toBeNull();
  });

  it('D9.3 takes a deletion whatever the schema', () => {
    const server = onServer(asDeleted(origin), 5, true);
    expect(mergeRemote(origin, server, nowMs).document).toMatchObject({
      deleted: true,
      code: null,
    });
  });

  it('D9.3 lets the deletion of one that cannot be read wait, also if the server has another', () => {
    const unread = mergeRemote(origin, onServer(origin, 5, true), nowMs).document;
    const gone = asDeleted(unread);
    expect(mergeRemote(gone, onServer(origin, 5, true), nowMs)).toEqual({
      document: gone,
      versions: [],
    });
    const changed = { ...editedOnServer({ name: 'Theirs' }, 3_000), seq: 6, newerSchema: true };
    const { document, versions } = mergeRemote(gone, changed, nowMs);
    expect(document).toMatchObject({ deleted: true, pending: 1, code: null, seq: 6 });
    expect(versions).toMatchObject([{ side: 'server', fields: { name: 'Theirs' } }]);
  });

  it('D9.4 parks an edit of it with its content and ancestor, and merges once it can be read', () => {
    const local = withEdit(origin, { name: 'Mine' }, 5_000);
    const { document } = mergeRemote(local, onServer(origin, 5, true), nowMs);
    expect(document).toEqual({ ...local, pending: 2, code: 'newer-schema' });
    const server = editedOnServer({ breed: 'Pointer' }, 6_000);
    const read = mergeRemote(document, server, nowMs).document;
    expect(read).toMatchObject({ pending: 1, code: null, seq: 5 });
    expect(read.fields).toMatchObject({ name: 'Mine', breed: 'Pointer' });
  });
});

describe('merging anything', () => {
  const name = fc.constantFrom('a', 'b', 'c');
  const stamp = fc.integer({ min: 2_000, max: 2_003 });
  const values = fc.record({ name: fc.option(name), breed: fc.option(name) });
  const edited = fc
    .record({ values, stamp })
    .map((edit) => withEdit(origin, edit.values, edit.stamp));

  it('D5.3 gives both devices the same, whoever pushed first', () => {
    fc.assert(
      fc.property(edited, edited, (local, other) => {
        const here = mergeRemote(local, onServer(other, 5), nowMs).document;
        const there = mergeRemote(other, onServer(local, 5), nowMs).document;
        expect(here.fields).toEqual(there.fields);
      }),
    );
  });

  it('D5.9 gives the same again when it is repeated', () => {
    fc.assert(
      fc.property(edited, edited, (local, other) => {
        const server = onServer(other, 5);
        const once = mergeRemote(local, server, nowMs);
        expect(mergeRemote(local, server, nowMs)).toEqual(once);
        const twice = mergeRemote(once.document, server, nowMs);
        expect(twice.document).toEqual(once.document);
        expect(twice.versions).toEqual([]);
      }),
    );
  });
});
