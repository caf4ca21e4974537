import { describe, expect, it } from 'vitest';
import type { Entry } from '../../../../schemas/documents/document.ts';
import { entryRow } from '../../../../tests/support/fakes/fake-data.ts';
import {
  awaitsNewer,
  firstRanges,
  limitOf,
  rangesAt,
  reachesEnd,
  type FeedRanges,
  withNewer,
  withOlder,
  withReleased,
  withRevived,
  withRows,
} from './feed-ranges.ts';

/** Returns entries numbered by age: 0 is the newest. */
function rows(from: number, to: number): Entry[] {
  const numbers = Array.from({ length: to - from }, (_, index) => from + index);
  return numbers.map((number) => entryRow(`e${String(number)}`, 1_000_000 - number));
}

function keyOf(number: number): string {
  return rows(number, number + 1)[0]?.feedKey ?? '';
}

function boundsOf({ ranges }: FeedRanges) {
  return ranges.map(({ after, until }) => [after, until]);
}

function idsOf({ ranges }: FeedRanges): string[] {
  return ranges.flatMap((range) => range.rows?.map(({ id }) => id) ?? []);
}

function names(from: number, to: number): string[] {
  return rows(from, to).map(({ id }) => id);
}

const opened = withRows(firstRanges(), 0, rows(0, 50));

describe('opening a journal', () => {
  it('costs one query of one page', () => {
    const [first] = firstRanges().ranges;
    expect(first).toMatchObject({ after: null, until: null, rows: null });
    expect(first && limitOf(first)).toBe(50);
    expect(boundsOf(opened)).toEqual([[null, null]]);
  });

  it('detects the end only of a journal that fits on the page', () => {
    expect(reachesEnd(firstRanges())).toBe(true);
    expect(reachesEnd(withRows(firstRanges(), 0, rows(0, 49)))).toBe(true);
    expect(reachesEnd(opened)).toBe(false);
  });
});

describe('new entries', () => {
  it('push nothing out of a full page: it is closed at its shown end', () => {
    const shown = withRows(withRows(firstRanges(), 0, rows(3, 53)), 0, rows(0, 50));
    expect(boundsOf(shown)).toEqual([[null, keyOf(52)]]);
    expect(idsOf(shown)).toEqual(names(0, 53));
  });

  it('do not close a page that has room', () => {
    const shown = withRows(withRows(firstRanges(), 0, rows(3, 43)), 0, rows(0, 43));
    expect(boundsOf(shown)).toEqual([[null, null]]);
  });

  it('may take the place of a deleted one', () => {
    const left = [...rows(0, 10), ...rows(11, 51)];
    const shown = withRows(opened, 0, left);
    expect(boundsOf(shown)).toEqual([[null, null]]);
    expect(idsOf(shown)).toEqual(left.map(({ id }) => id));
  });

  it('split a range that has grown beyond two pages, after its first', () => {
    const closed = withOlder(withRows(firstRanges(), 0, rows(51, 101)));
    expect(closed.ranges[0] && limitOf(closed.ranges[0])).toBe(101);
    const full = withRows(closed, 0, rows(1, 101));
    expect(full.ranges).toHaveLength(2);
    const split = withRows(full, 0, rows(0, 101));
    expect(boundsOf(split)).toEqual([
      [null, keyOf(49)],
      [keyOf(49), keyOf(100)],
      [keyOf(100), null],
    ]);
    expect(idsOf(split)).toEqual(names(0, 101));
    expect(new Set(split.ranges.map(({ id }) => id)).size).toBe(3);
  });
});

describe('older entries', () => {
  it('are a range of their own, next to the last', () => {
    const asked = withOlder(opened);
    expect(boundsOf(asked)).toEqual([
      [null, keyOf(49)],
      [keyOf(49), null],
    ]);
    const read = withRows(asked, 1, rows(50, 100));
    expect(idsOf(read)).toEqual(names(0, 100));
  });

  it('are not asked for twice, nor beyond the end', () => {
    const asked = withOlder(opened);
    expect(withOlder(asked)).toBe(asked);
    const ended = withRows(asked, 1, rows(50, 60));
    expect(reachesEnd(ended)).toBe(true);
    expect(withOlder(ended)).toBe(ended);
  });
});

describe('newer entries', () => {
  const further = rangesAt('k5', 'k2');

  it('are asked for once the page before them has come, and not beyond the newest', () => {
    expect(awaitsNewer(further)).toBe(false);
    const read = withRows(further, 0, [entryRow('five', 5)]);
    expect(awaitsNewer(read)).toBe(true);
    const next = withNewer(read, null);
    expect(awaitsNewer(next)).toBe(false);
    expect(awaitsNewer(withRows(next, next.ranges[0]?.id ?? -1, []))).toBe(false);
  });
});

describe('a range far off screen', () => {
  const two = withRows(withOlder(opened), 1, rows(50, 100));

  it('lets go of its rows and keeps its height and its newest day', () => {
    const [, released] = withReleased(two, 1, 4_321).ranges;
    expect(released).toMatchObject({ rows: null, isLive: false, heightPx: 4_321 });
    expect(released?.newestMs).toBe(1_000_000 - 50);
  });

  it('keeps its bounds, so that older entries can still be requested', () => {
    const released = withReleased(two, 1, 4_321);
    expect(boundsOf(released)[1]).toEqual([keyOf(49), keyOf(99)]);
    expect(reachesEnd(released)).toBe(false);
    expect(boundsOf(withOlder(released))[2]).toEqual([keyOf(99), null]);
  });

  it('is revived with the rows that it has then', () => {
    const revived = withRevived(withReleased(two, 1, 4_321), 1);
    expect(revived.ranges[1]).toMatchObject({ rows: null, isLive: true, heightPx: 4_321 });
    expect(idsOf(withRows(revived, 1, rows(50, 99)))).toEqual(names(0, 99));
  });

  it('is never the newest, where new entries arrive', () => {
    expect(withReleased(two, 0, 4_321)).toBe(two);
  });

  it('changes nothing when it is told twice', () => {
    const released = withReleased(two, 1, 4_321);
    expect(withReleased(released, 1, 1)).toBe(released);
    expect(withRevived(two, 1)).toBe(two);
  });
});
