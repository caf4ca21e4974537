import { describe, expect, it } from 'vitest';
import { entryRow } from '../../../../tests/support/fakes/fake-data.ts';
import { withoutShown } from './outgoing-notes.ts';

describe('an outgoing note', () => {
  const note = { id: 'mine', text: 'hello', sentMs: 1_000, isStored: false };
  const page = Array.from({ length: 50 }, (_, index) => entryRow(`row-${index}`, 9_000 - index));

  it('is removed when its entry is in the feed, even before it is known to be stored', () => {
    const rows = [entryRow('mine', 1_000)];
    expect(withoutShown([note], { rows, until: null })).toEqual([]);
    expect(withoutShown([{ ...note, isStored: true }], { rows, until: null })).toEqual([]);
  });

  it('is not mistaken for another entry of the same words', () => {
    const rows = [entryRow('other', 1_000, { text: 'hello' })];
    expect(withoutShown([note], { rows, until: null })).toEqual([note]);
  });

  it('stays until it is stored, and then goes if it sorts further up', () => {
    expect(withoutShown([note], { rows: page, until: null })).toEqual([note]);
    const stored = { ...note, isStored: true };
    expect(withoutShown([stored], { rows: page, until: null })).toEqual([]);
    const until = page[9]?.feedKey ?? null;
    expect(withoutShown([stored], { rows: page.slice(0, 9), until })).toEqual([]);
  });

  it('stays after it is stored while its entry is about to appear', () => {
    const stored = { ...note, isStored: true };
    expect(withoutShown([stored], { rows: page.slice(0, 9), until: null })).toEqual([stored]);
    expect(withoutShown([stored], undefined)).toEqual([stored]);
  });
});
