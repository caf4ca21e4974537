import type { Entry } from '../../../../schemas/documents/document.ts';
import { feedPageSize } from '../../../../schemas/limits.ts';
import type { FeedRange } from '../../../data/queries/queries.ts';

/** A part of one dog's journal. */
export interface JournalRange extends FeedRange {
  readonly id: number;
  /** Newest first; null until read, and while released. */
  readonly rows: readonly Entry[] | null;
  /** The creation time of the newest entry, as last known; null if there is none. */
  readonly newestMs: number | null;
  /** False for a range far off screen, which is not queried. */
  readonly isLive: boolean;
  /** The height at the time of its release, which the range keeps until its rows are back. */
  readonly heightPx: number | null;
}

/**
 * The journal of one dog, split into ranges by feed key. These invariants hold:
 *
 * - The ranges are adjacent, newest first: each one's `until` is the `after` of the next, so no entry is missed.
 * - Only the last range can be open at its older end, and its query then asks for one page.
 * - The first range reaches the newest entry, unless the journal was opened further up: then its `after` is an entry's
 *   key.
 * - A closed range that grows to more than two pages is split after its first page.
 * - Scrolling adds or revives a range, and never widens a query.
 */
export interface FeedRanges {
  /** Ranges in order, newest first. They are empty only until the bounds of the first page are known. */
  readonly ranges: readonly JournalRange[];
  readonly nextId: number;
}

const splitAbove = 2 * feedPageSize;

function newRange(id: number, { after, until }: FeedRange): JournalRange {
  return { id, after, until, rows: null, newestMs: null, isLive: true, heightPx: null };
}

/** The empty state of a journal that opens further up, until the bounds of its first page are read. */
export const noRanges: FeedRanges = { ranges: [], nextId: 0 };

/** Returns one range at the newest entry, whatever was shown before. */
export function firstRanges({ nextId }: FeedRanges = noRanges): FeedRanges {
  return { ranges: [newRange(nextId, { after: null, until: null })], nextId: nextId + 1 };
}

/**
 * Returns the ranges of a journal that opens further up: a page that ends with the entry of that key, and the range of
 * older entries.
 * @param after the same as in {@link withNewer}.
 */
export function rangesAt(key: string, after: string | null): FeedRanges {
  const [newer, older] = [
    newRange(0, { after, until: key }),
    newRange(1, { after: key, until: null }),
  ];
  return { ranges: [newer, older], nextId: 2 };
}

/** Whether the newest entry is shown, and so is each new one. */
export function reachesNewest({ ranges: [newest] }: FeedRanges): boolean {
  return newest?.after === null;
}

/**
 * Whether newer entries can be requested. A page in flight has no height, so without this check all pages would be
 * requested.
 */
export function awaitsNewer({ ranges: [newest] }: FeedRanges): boolean {
  return newest !== undefined && newest.after !== null && newest.rows !== null;
}

/**
 * Adds the page of entries that are newer than the newest range.
 * @param after the key of the entry that is one page newer; null if the newest entry is nearer than that.
 */
export function withNewer(state: FeedRanges, after: string | null): FeedRanges {
  const [newest] = state.ranges;
  if (newest === undefined || newest.after === null) return state;
  const newer = newRange(state.nextId, { after, until: newest.after });
  return { ranges: [newer, ...state.ranges], nextId: state.nextId + 1 };
}

/** Returns the number of entries to query: for a range that is closed at both ends, one more than it may keep. */
export function limitOf(range: FeedRange): number {
  return range.until === null ? feedPageSize : splitAbove + 1;
}

function holding(range: JournalRange, rows: readonly Entry[]): JournalRange {
  return { ...range, rows, newestMs: rows[0]?.fields.createdDate ?? null };
}

/** Returns the key at which a full open range ends for now; null if it reaches the oldest entry, or is not read yet. */
function edgeOf({ until, rows }: JournalRange): string | null {
  return until === null ? (rows?.[feedPageSize - 1]?.feedKey ?? null) : null;
}

function closed(range: JournalRange): JournalRange {
  return { ...range, until: edgeOf(range) ?? range.until };
}

/**
 * Returns an open range with new rows. It stays open, with a query of one page, until that page would slide. Then it is
 * closed, and the rows that newer entries push out of the page stay.
 */
function settledOpen(range: JournalRange, rows: readonly Entry[]): JournalRange {
  const edge = edgeOf(range);
  const last = rows[feedPageSize - 1]?.feedKey;
  if (edge === null || last === undefined || last >= edge) return holding(range, rows);
  const pushedOut = (range.rows ?? []).filter(({ feedKey }) => feedKey > last);
  return holding({ ...range, until: edge }, [...rows, ...pushedOut]);
}

function split(range: JournalRange, rows: readonly Entry[], nextId: number): JournalRange[] {
  const until = rows[feedPageSize - 1]?.feedKey ?? range.until;
  const newer = newRange(nextId, { after: range.after, until });
  return [
    holding(newer, rows.slice(0, feedPageSize)),
    holding({ ...range, after: until }, rows.slice(feedPageSize)),
  ];
}

function settled(range: JournalRange, rows: readonly Entry[], nextId: number): JournalRange[] {
  if (range.until === null) return [settledOpen(range, rows)];
  return rows.length > splitAbove ? split(range, rows, nextId) : [holding(range, rows)];
}

/** Stores the rows that the query of one range returned. */
export function withRows(state: FeedRanges, id: number, rows: readonly Entry[]): FeedRanges {
  const ranges = state.ranges.flatMap((range) =>
    range.id === id ? settled(range, rows, state.nextId) : [range],
  );
  const isSplit = ranges.length > state.ranges.length;
  return { ranges, nextId: isSplit ? state.nextId + 1 : state.nextId };
}

/** Whether there are no older entries to request, or a request is in flight. */
export function reachesEnd({ ranges }: FeedRanges): boolean {
  const oldest = ranges.at(-1);
  return oldest === undefined || (oldest.until === null && edgeOf(oldest) === null);
}

/** Adds a range for the page of entries that are older than the oldest range. */
export function withOlder(state: FeedRanges): FeedRanges {
  const oldest = state.ranges.at(-1);
  if (oldest === undefined || reachesEnd(state)) return state;
  const last = closed(oldest);
  const older = newRange(state.nextId, { after: last.until, until: null });
  return { ranges: [...state.ranges.slice(0, -1), last, older], nextId: state.nextId + 1 };
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

/** Releases a range that is far off screen. The newest range stays, because new entries arrive there. */
export function withReleased(state: FeedRanges, id: number, heightPx: number): FeedRanges {
  if (state.ranges[0]?.id === id) return state;
  return changed(state, id, (range) =>
    range.isLive && range.rows !== null
      ? { ...closed(range), rows: null, isLive: false, heightPx }
      : range,
  );
}

export function withRevived(state: FeedRanges, id: number): FeedRanges {
  return changed(state, id, (range) => (range.isLive ? range : { ...range, isLive: true }));
}
