import { describe, expect, it } from 'vitest';
import { asDeleted, withEdit } from '../../../schemas/documents/document.ts';
import { clean, newPet } from '../../../tests/support/fixtures/sync-documents.ts';
import { areSettled, dropped, parked, settled } from './push-settle.ts';

const origin = clean(newPet('p1'), 3);
const pushed = withEdit(origin, { name: 'Max' }, 2_000);

describe('after the server took a document', () => {
  it('D2.7 the copy is clean, has the seq and no base', () => {
    const expected = { ...pushed, pending: 0, seq: 8, base: null };
    expect(settled(pushed, pushed, 8)).toEqual(expected);
  });

  it('D2.7 a tombstone is clean in the same way', () => {
    const gone = asDeleted(origin);
    const result = settled(gone, gone, 9);
    expect(result).toMatchObject({ deleted: true, pending: 0, seq: 9, base: null });
  });

  it('D2.8 a copy edited meanwhile waits, forked from what was pushed', () => {
    const edited = withEdit(pushed, { name: 'Later' }, 3_000);
    const result = settled(edited, pushed, 8);
    const base = { fields: pushed.fields, edits: pushed.edits };
    expect(result).toEqual({ ...edited, seq: 8, base, pending: 1 });
  });

  it('D2.8 a copy edited there and back meanwhile waits, since its stamps are later', () => {
    const edited = withEdit(pushed, { name: 'B' }, 3_000);
    const back = withEdit(edited, { name: 'Max' }, 4_000);
    expect(back.fields).toEqual(pushed.fields);
    expect(settled(back, pushed, 8)).toMatchObject({ pending: 1, seq: 8 });
  });

  it('D2.8 a copy deleted meanwhile waits to be deleted', () => {
    const result = settled(asDeleted(pushed), pushed, 8);
    expect(result).toMatchObject({ deleted: true, pending: 1, seq: 8 });
  });

  it('D2.9 a copy that another engine moved on is left alone', () => {
    const moved = { ...pushed, seq: 12 };
    expect(settled(moved, pushed, 8)).toBe(moved);
    const done = clean(pushed, 8);
    expect(settled(done, pushed, 8)).toBe(done);
  });

  it('D2.9 all is settled if each copy has the seq of its own write', () => {
    const other = clean(newPet('p2'), 9);
    const written = [
      { document: pushed, seq: 8 },
      { document: other, seq: 9 },
    ];
    expect(areSettled(written, [clean(pushed, 8), other])).toBe(true);
    expect(areSettled(written, [other])).toBe(false);
    expect(areSettled(written, [clean(pushed, 7), other])).toBe(false);
  });
});

describe('after the server refused a document', () => {
  it('D8.4 it is parked with content, base, seq and the reason', () => {
    const code = 'refused:invalid-argument';
    expect(parked(pushed, pushed, code)).toEqual({ ...pushed, pending: 2, code });
  });

  it('D8.4 an edit made meanwhile is tried on its own', () => {
    const edited = withEdit(pushed, { name: 'Good' }, 3_000);
    expect(parked(edited, pushed, 'refused:x')).toBe(edited);
    const merged = { ...pushed, seq: 12 };
    expect(parked(merged, pushed, 'refused:x')).toBe(merged);
  });

  it('D2.12 an obsolete tombstone is clean, unless it changed', () => {
    const gone = { ...asDeleted(newPet('p1')) };
    expect(dropped(gone, gone)).toMatchObject({ pending: 0, seq: null, deleted: true });
    const later = { ...gone, rev: gone.rev + 1 };
    expect(dropped(later, gone)).toBe(later);
  });
});
