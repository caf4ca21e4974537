import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { entryRow } from '../../../../tests/support/fakes/fake-data.ts';
import { forgetEntry } from '../note/forget-entry.ts';
import { createJournalFeed } from './journal-feed.ts';
import { journalPlace } from './journal-places.ts';

const feedOf = (rows: readonly Entry[]) =>
  createJournalFeed({
    read: () => ({ getSnapshot: () => rows, subscribe: () => () => undefined }),
    keyBefore: () => Promise.resolve(null),
    at: null,
  });

const openFeed = () => feedOf([]);

describe('a place in a journal', () => {
  it('is restored for the same history entry, with its rows and scroll position', () => {
    const data = {};
    const left = journalPlace(data, 'step', openFeed);
    left.moveTo(-700);
    const back = journalPlace(data, 'step', openFeed);
    expect(back).toBe(left);
    expect(back.scrollTop()).toBe(-700);
  });

  it('is new for another history entry, and for the data of the next owner', () => {
    const data = {};
    journalPlace(data, 'step', openFeed).moveTo(-700);
    expect(journalPlace(data, 'other', openFeed).scrollTop()).toBe(0);
    expect(journalPlace({}, 'step', openFeed).scrollTop()).toBe(0);
  });

  it('does not show an entry that was deleted since', () => {
    const data = {};
    const rows = [entryRow('newer', 2), entryRow('older', 1)];
    const place = journalPlace(data, 'step', () => feedOf(rows));
    place.feed.subscribe(() => undefined)();
    const ids = () => place.feed.getSnapshot().ranges[0]?.rows?.map(({ id }) => id);
    expect(ids()).toEqual(['newer', 'older']);
    forgetEntry(data, 'older');
    expect(ids()).toEqual(['newer']);
    forgetEntry(data, 'never there');
    expect(ids()).toEqual(['newer']);
  });

  it('is kept for the last few steps', () => {
    const data = {};
    const first = journalPlace(data, 'first', openFeed);
    const others = Array.from({ length: 8 }, (_, index) => `other-${String(index)}`);
    const places = others.map((step) => journalPlace(data, step, openFeed));
    expect(journalPlace(data, 'first', openFeed)).toBe(first);
    journalPlace(data, 'last', openFeed);
    expect(others.map((step) => journalPlace(data, step, openFeed))).toEqual(places);
    expect(journalPlace(data, 'first', openFeed)).not.toBe(first);
  });
});
