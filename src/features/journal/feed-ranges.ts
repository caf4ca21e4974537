import type { EntryRow } from '../../../schemas/document.ts';
import { feedPageSize } from '../../../schemas/limits.ts';
import type { FeedRange } from '../../data/queries.ts';

/**
 * The journal of one dog, cut into ranges by key. What holds at any time:
 * - the ranges lie side by side, newest first: each one's `until` is the `after` of the next, so nothing falls between;
 * - only the last one can be open at its older end, and it is as soon as everything older is asked for;
 * - a range never grows beyond twice a page: it is split at its 50th entry;
 * - scrolling adds a range or revives one, it never widens a query.
 */
export interface JournalRange extends FeedRange {
  readonly id: number;
  /** Newest first; null until read, and while released. */
  readonly rows: readonly EntryRow[] | null;
  /** When the newest entry was written, as last known; null if there is none. */
  readonly newestMs: number | null;
  /** False: far off screen, nothing is read for it. */
  readonly isLive: boolean;
  /** What it measured when it was released; it keeps this height until its rows are back. */
  readonly heightPx: number | null;
}

export interface FeedRanges {
  /** Newest first, never empty. */
  readonly ranges: readonly JournalRange[];
  readonly nextId: number;
}

const splitAbove = 2 * feedPageSize;

function newRange(id: number, { after, until }: FeedRange): JournalRange {
  return { id, after, until, rows: null, newestMs: null, isLive: true, heightPx: null };
}

export function firstRanges(): FeedRanges {
  return { ranges: [newRange(0, { after: null, until: null })], nextId: 1 };
}

/** How many entries to ask for: one more than may stay, where the range is closed at both ends. */
export function limitOf(range: FeedRange): number {
  return range.until === null ? feedPageSize : splitAbove + 1;
}

function holding(range: JournalRange, rows: readonly EntryRow[]): JournalRange {
  return { ...range, rows, newestMs: rows[0]?.createdDate ?? null };
}

function settled(range: JournalRange, rows: readonly EntryRow[], nextId: number): JournalRange[] {
  const last = rows[feedPageSize - 1];
  if (last === undefined) return [holding(range, rows)];
  if (range.until === null) return [holding({ ...range, until: last.feedKey }, rows)];
  if (rows.length <= splitAbove) return [holding(range, rows)];
  const newer = newRange(nextId, { after: range.after, until: last.feedKey });
  const older = { ...range, after: last.feedKey };
  return [holding(newer, rows.slice(0, feedPageSize)), holding(older, rows.slice(feedPageSize))];
}

/** What the query of one range returned: an open range that is full is closed, an overfull one is split. */
export function withRows(state: FeedRanges, id: number, rows: readonly EntryRow[]): FeedRanges {
  const ranges = state.ranges.flatMap((range) =>
    range.id === id ? settled(range, rows, state.nextId) : [range],
  );
  const isSplit = ranges.length > state.ranges.length;
  return { ranges, nextId: isSplit ? state.nextId + 1 : state.nextId };
}

/** True once the oldest entry on this device is in the last range. */
export function reachesEnd({ ranges }: FeedRanges): boolean {
  return ranges.at(-1)?.until === null;
}

/** Asks for the page before the oldest one; nothing if there is none, or if it is on its way. */
export function withOlder(state: FeedRanges): FeedRanges {
  const until = state.ranges.at(-1)?.until ?? null;
  if (until === null) return state;
  const older = newRange(state.nextId, { after: until, until: null });
  return { ranges: [...state.ranges, older], nextId: state.nextId + 1 };
}

function changed(
  state: FeedRanges,
  id: number,
  change: (range: JournalRange) => JournalRange,
): FeedRanges {
  const ranges = state.ranges.map((range) => (range.id === id ? change(range) : range));
  const isSame = ranges.every((range, index) => range === state.ranges[index]);
  return isSame ? state : { ...state, ranges };
}

/** Lets go of a range that is far off screen. The newest one stays: new entries arrive there. */
export function withReleased(state: FeedRanges, id: number, heightPx: number): FeedRanges {
  if (state.ranges[0]?.id === id) return state;
  return changed(state, id, (range) =>
    range.isLive && range.rows !== null ? { ...range, rows: null, isLive: false, heightPx } : range,
  );
}

export function withRevived(state: FeedRanges, id: number): FeedRanges {
  return changed(state, id, (range) => (range.isLive ? range : { ...range, isLive: true }));
}
