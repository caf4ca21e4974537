import { describe, expect, it, vi } from 'vitest';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { entryRow, fakeData } from '../../../../tests/support/fakes/fake-data.ts';
import { forgetEntry } from '../note/forget-entry.ts';
import type { FeedRanges } from './feed-ranges.ts';
import { createJournalFeed } from './journal-feed.ts';
import { journalPlace } from './journal-places.ts';

const feedOf = (rows: readonly Entry[]) =>
  createJournalFeed({
    read: () => ({ getSnapshot: () => rows, subscribe: () => () => undefined }),
    keyBefore: () => Promise.resolve(null),
    at: null,
  });

const openFeed = (_ranges?: FeedRanges) => feedOf([]);

describe('a place in a journal', () => {
  it('is restored for the same history entry, with its rows and scroll position', () => {
    const data = fakeData();
    const left = journalPlace(data, 'step', openFeed);
    left.moveTo(-700);
    const back = journalPlace(data, 'step', openFeed);
    expect(back).toBe(left);
    expect(back.scrollTop()).toBe(-700);
  });

  it('is kept when the database is opened again, and reads that one', () => {
    const { visit, queries } = fakeData();
    const left = journalPlace({ visit, queries }, 'step', () => feedOf([entryRow('old', 1)]));
    left.feed.subscribe(() => undefined)();
    left.moveTo(-700);
    expect(left.arrive()).toBe(true);
    const again = { visit, queries: fakeData().queries };
    const { ranges } = left.feed.getSnapshot();
    const reopened = feedOf([entryRow('new', 2)]);
    const openAgain = vi.fn<typeof openFeed>(() => reopened);
    const back = journalPlace(again, 'step', openAgain);
    expect(openAgain).toHaveBeenCalledExactlyOnceWith({ ranges, nextId: 1 });
    expect(back.feed).toBe(reopened);
    expect(back.scrollTop()).toBe(-700);
    expect(back.arrive()).toBe(false);
    back.moveTo(-800);
    expect(journalPlace(again, 'step', openFeed)).toBe(back);
  });

  it('is new for another history entry, and for the data of the next owner', () => {
    const data = fakeData();
    journalPlace(data, 'step', openFeed).moveTo(-700);
    expect(journalPlace(data, 'other', openFeed).scrollTop()).toBe(0);
    expect(journalPlace(fakeData(), 'step', openFeed).scrollTop()).toBe(0);
  });

  it('does not show an entry that was deleted since', () => {
    const data = fakeData();
    const rows = [entryRow('newer', 2), entryRow('older', 1)];
    const place = journalPlace(data, 'step', () => feedOf(rows));
    place.feed.subscribe(() => undefined)();
    const ids = () => place.feed.getSnapshot().ranges[0]?.rows?.map(({ id }) => id);
    expect(ids()).toEqual(['newer', 'older']);
    forgetEntry(data.visit, 'older');
    expect(ids()).toEqual(['newer']);
    forgetEntry(data.visit, 'never there');
    expect(ids()).toEqual(['newer']);
  });

  it('is kept for the last few steps', () => {
    const data = fakeData();
    const first = journalPlace(data, 'first', openFeed);
    const others = Array.from({ length: 8 }, (_, index) => `other-${String(index)}`);
    const places = others.map((step) => journalPlace(data, step, openFeed));
    expect(journalPlace(data, 'first', openFeed)).toBe(first);
    journalPlace(data, 'last', openFeed);
    expect(others.map((step) => journalPlace(data, step, openFeed))).toEqual(places);
    expect(journalPlace(data, 'first', openFeed)).not.toBe(first);
  });
});
