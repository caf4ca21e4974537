import { describe, expect, it, vi } from 'vitest';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { feedKey } from '../../../../schemas/documents/feed-key.ts';
import { entryRow, fakeData, type FakeData } from '../../../../tests/support/fakes/fake-data.ts';
import type { FeedRange } from '../../../data/queries/queries.ts';
import { reachesNewest } from './feed-ranges.ts';
import { createJournalFeed, type FeedSource } from './journal-feed.ts';

function entries(count: number): Entry[] {
  return Array.from({ length: count }, (_, index) => entryRow(`e${String(index)}`, index));
}

interface Reading {
  readonly range: FeedRange;
  readonly limit: number;
  rowsRead: number;
  isOpen: boolean;
}

/** Creates a feed on data in memory that records its reads. */
function watchedFeed(data: FakeData, at: string | null) {
  const readings: Reading[] = [];
  const read: FeedSource['read'] = (range, limit) => {
    const live = data.queries.feed('pet', range, limit);
    const reading: Reading = { range, limit, rowsRead: 0, isOpen: false };
    readings.push(reading);
    return {
      getSnapshot: () => {
        const rows = live.getSnapshot();
        reading.rowsRead = Math.max(reading.rowsRead, rows?.length ?? 0);
        return rows;
      },
      subscribe: (onChange) => {
        reading.isOpen = true;
        const stop = live.subscribe(onChange);
        return () => {
          reading.isOpen = false;
          stop();
        };
      },
    };
  };
  const keyBefore = (from: string, count: number) => data.queries.feedKeyBefore('pet', from, count);
  const feed = createJournalFeed({ read, keyBefore, at });
  const shown = () =>
    feed.getSnapshot().ranges.flatMap(({ rows }) => rows?.map(({ id }) => id) ?? []);
  const open = () => readings.filter(({ isOpen }) => isOpen);
  return { feed, readings, open, shown };
}

function journalOf(count: number, at: string | null = null) {
  const data = fakeData();
  data.entries.set(entries(count));
  return { data, ...watchedFeed(data, at) };
}

describe('a journal feed', () => {
  it('opens a journal of 10,000 entries for the cost of 50', () => {
    const { feed, readings, shown } = journalOf(10_000);
    feed.subscribe(() => undefined);
    expect(readings).toHaveLength(1);
    expect(readings[0]?.rowsRead).toBe(50);
    expect(shown()[0]).toBe('e9999');
  });

  it('reads nothing before it is watched, and stops with its last watcher', () => {
    const { feed, readings, open } = journalOf(10);
    expect(readings).toHaveLength(0);
    const stop = feed.subscribe(() => undefined);
    const stopOther = feed.subscribe(() => undefined);
    expect(open()).toHaveLength(1);
    stop();
    expect(open()).toHaveLength(1);
    stopOther();
    expect(open()).toHaveLength(0);
  });

  it('reads older pages as ranges of their own, each once', () => {
    const { feed, open, shown } = journalOf(120);
    feed.subscribe(() => undefined);
    feed.loadOlder();
    feed.loadOlder();
    feed.loadOlder();
    expect(shown()).toEqual(
      entries(120)
        .toReversed()
        .map(({ id }) => id),
    );
    expect(open()).toHaveLength(3);
    for (const { limit } of open()) expect(limit).toBeLessThanOrEqual(101);
  });

  it('shows every entry once while hundreds arrive, in the middle too', () => {
    const { data, feed, open, shown } = journalOf(200);
    feed.subscribe(() => undefined);
    feed.loadOlder();
    feed.loadOlder();
    const late = Array.from({ length: 300 }, (_, index) =>
      entryRow(`late${String(index)}`, 60 + index, { text: 'late' }),
    );
    for (const entry of late) data.entries.set([...data.entries.getSnapshot(), entry]);
    const expected = data.entries
      .getSnapshot()
      .toSorted((a, b) => (a.feedKey < b.feedKey ? -1 : 1))
      .map(({ id }) => id);
    const seen = shown();
    expect(seen).toEqual(expected.slice(0, seen.length));
    expect(seen.length).toBeGreaterThan(300);
    for (const { limit, rowsRead } of open()) expect(rowsRead).toBeLessThanOrEqual(limit);
  });

  it('releases ranges far off screen and reads them again when they are near', () => {
    const { data, feed, open, shown } = journalOf(120);
    feed.subscribe(() => undefined);
    feed.loadOlder();
    const [, older] = feed.getSnapshot().ranges;
    feed.release(older?.id ?? -1, 3_000);
    expect(open()).toHaveLength(1);
    expect(shown()).toHaveLength(50);
    data.entries.set(data.entries.getSnapshot().filter(({ id }) => id !== 'e60'));
    feed.revive(older?.id ?? -1);
    expect(shown()).toHaveLength(99);
    expect(shown()).not.toContain('e60');
  });

  it('continues from its state when it is subscribed to again', () => {
    const { data, feed, shown } = journalOf(120);
    const stop = feed.subscribe(() => undefined);
    feed.loadOlder();
    stop();
    data.entries.set([...data.entries.getSnapshot(), entryRow('new', 500)]);
    feed.subscribe(() => undefined);
    expect(shown()).toHaveLength(101);
    expect(shown()[0]).toBe('new');
  });
});

describe('a journal that opens further up', () => {
  const keyOf = (number: number) => feedKey(number, `e${String(number)}`);
  const ended = (ids: readonly string[]) => [ids[0], ids.at(-1), ids.length];

  it('reads the page that ends with an entry, and the one before it', async () => {
    const { feed, readings, shown } = journalOf(10_000, keyOf(5_000));
    feed.subscribe(() => undefined);
    expect(feed.getSnapshot().ranges).toEqual([]);
    await vi.waitFor(() => expect(shown()).toHaveLength(100));
    expect(ended(shown())).toEqual(['e5049', 'e4950', 100]);
    expect(readings.map(({ rowsRead }) => rowsRead)).toEqual([50, 50]);
  });

  it('puts newer pages under it until the newest entry is there, and then shows each that comes', async () => {
    const { feed, data, shown } = journalOf(220, keyOf(100));
    feed.subscribe(() => undefined);
    await vi.waitFor(() => expect(shown()).toHaveLength(100));
    await Promise.all([feed.loadNewer(), feed.loadNewer()]);
    expect(ended(shown())).toEqual(['e199', 'e50', 150]);
    expect(reachesNewest(feed.getSnapshot())).toBe(false);
    await feed.loadNewer();
    expect(reachesNewest(feed.getSnapshot())).toBe(true);
    await feed.loadNewer();
    expect(ended(shown())).toEqual(['e219', 'e50', 170]);
    data.entries.set(entries(221));
    expect(shown()[0]).toBe('e220');
  });

  it('is at the newest entry again on request, and reads nothing else any more', async () => {
    const { feed, open, shown } = journalOf(500, keyOf(100));
    feed.subscribe(() => undefined);
    await vi.waitFor(() => expect(shown()).toHaveLength(100));
    feed.toNewest();
    expect(ended(shown())).toEqual(['e499', 'e450', 50]);
    expect(open()).toHaveLength(1);
  });

  it('is where it was when one comes back', async () => {
    const { feed, shown } = journalOf(500, keyOf(100));
    const leave = feed.subscribe(() => undefined);
    await vi.waitFor(() => expect(shown()).toHaveLength(100));
    leave();
    feed.subscribe(() => undefined);
    expect(ended(shown())).toEqual(['e149', 'e50', 100]);
  });

  it('opens at its newest entry where nothing could be read', async () => {
    const { data } = journalOf(10);
    const feed = createJournalFeed({
      read: (range, limit) => data.queries.feed('pet', range, limit),
      keyBefore: () => Promise.reject(new Error('the database is closed')),
      at: keyOf(5),
    });
    feed.subscribe(() => undefined);
    await vi.waitFor(() => expect(reachesNewest(feed.getSnapshot())).toBe(true));
  });
});
