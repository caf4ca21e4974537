import type { EntryRow } from '../../../../schemas/documents/document.ts';
import { feedPageSize } from '../../../../schemas/limits.ts';
import type { FeedRange } from '../../../data/queries/queries.ts';

/**
 * The journal of one dog, cut into ranges by key. What holds at any time:
 * - the ranges lie side by side, newest first: each one's `until` is the `after` of the next, so nothing falls between;
 * - only the last one can be open at its older end, and its query then asks for one page;
 * - the first one reaches the newest entry, unless the journal was opened further up: then its `after` is an entry's key;
 * - a closed range that grows beyond two pages is split after its first;
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
  /** Newest first; empty only until it is known where the journal opens. */
  readonly ranges: readonly JournalRange[];
  readonly nextId: number;
}

const splitAbove = 2 * feedPageSize;

function newRange(id: number, { after, until }: FeedRange): JournalRange {
  return { id, after, until, rows: null, newestMs: null, isLive: true, heightPx: null };
}

/** A journal that opens further up has no ranges until the bounds of its first page are read. */
export const noRanges: FeedRanges = { ranges: [], nextId: 0 };

/** At the newest entry, whatever was shown before. */
export function firstRanges({ nextId }: FeedRanges = noRanges): FeedRanges {
  return { ranges: [newRange(nextId, { after: null, until: null })], nextId: nextId + 1 };
}

/**
 * Further up: a page that ends with the entry of that key, and the one before it.
 * @param after what {@link withNewer} has.
 */
export function rangesAt(key: string, after: string | null): FeedRanges {
  const [newer, older] = [
    newRange(0, { after, until: key }),
    newRange(1, { after: key, until: null }),
  ];
  return { ranges: [newer, older], nextId: 2 };
}

/** True if the newest entry is shown, and with it each that comes. */
export function reachesNewest({ ranges: [newest] }: FeedRanges): boolean {
  return newest?.after === null;
}

/** True if newer entries are there to ask for. While a page of them is on its way it has no height, and all would be asked for. */
export function awaitsNewer({ ranges: [newest] }: FeedRanges): boolean {
  return newest !== undefined && newest.after !== null && newest.rows !== null;
}

/**
 * Puts the page after the newest range under it.
 * @param after the key of the entry that lies a page further; null if the newest entry is nearer than that.
 */
export function withNewer(state: FeedRanges, after: string | null): FeedRanges {
  const [newest] = state.ranges;
  if (newest === undefined || newest.after === null) return state;
  const newer = newRange(state.nextId, { after, until: newest.after });
  return { ranges: [newer, ...state.ranges], nextId: state.nextId + 1 };
}

/** How many entries to ask for: one more than may stay, where the range is closed at both ends. */
export function limitOf(range: FeedRange): number {
  return range.until === null ? feedPageSize : splitAbove + 1;
}

function holding(range: JournalRange, rows: readonly EntryRow[]): JournalRange {
  return { ...range, rows, newestMs: rows[0]?.createdDate ?? null };
}

/** Where an open range that is full ends for now; null if it reaches the oldest entry, or is not read yet. */
function edgeOf({ until, rows }: JournalRange): string | null {
  return until === null ? (rows?.[feedPageSize - 1]?.feedKey ?? null) : null;
}

function closed(range: JournalRange): JournalRange {
  return { ...range, until: edgeOf(range) ?? range.until };
}

/**
 * An open range costs one query of one page to begin with. It is closed only when that page would slide: what newer
 * entries push out of it stays.
 */
function settledOpen(range: JournalRange, rows: readonly EntryRow[]): JournalRange {
  const edge = edgeOf(range);
  const last = rows[feedPageSize - 1]?.feedKey;
  if (edge === null || last === undefined || last >= edge) return holding(range, rows);
  const pushedOut = (range.rows ?? []).filter(({ feedKey }) => feedKey > last);
  return holding({ ...range, until: edge }, [...rows, ...pushedOut]);
}

function split(range: JournalRange, rows: readonly EntryRow[], nextId: number): JournalRange[] {
  const until = rows[feedPageSize - 1]?.feedKey ?? range.until;
  const newer = newRange(nextId, { after: range.after, until });
  return [
    holding(newer, rows.slice(0, feedPageSize)),
    holding({ ...range, after: until }, rows.slice(feedPageSize)),
  ];
}

function settled(range: JournalRange, rows: readonly EntryRow[], nextId: number): JournalRange[] {
  if (range.until === null) return [settledOpen(range, rows)];
  return rows.length > splitAbove ? split(range, rows, nextId) : [holding(range, rows)];
}

/** What the query of one range returned. */
export function withRows(state: FeedRanges, id: number, rows: readonly EntryRow[]): FeedRanges {
  const ranges = state.ranges.flatMap((range) =>
    range.id === id ? settled(range, rows, state.nextId) : [range],
  );
  const isSplit = ranges.length > state.ranges.length;
  return { ranges, nextId: isSplit ? state.nextId + 1 : state.nextId };
}

/** True if there is nothing older to ask for, or if it is on its way. */
export function reachesEnd({ ranges }: FeedRanges): boolean {
  const oldest = ranges.at(-1);
  return oldest === undefined || (oldest.until === null && edgeOf(oldest) === null);
}

/** Asks for the page before the oldest one. */
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

/** Lets go of a range that is far off screen. The newest one stays: new entries arrive there. */
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
