import type { EntryRow } from '../../../../schemas/documents/document.ts';
import { feedPageSize } from '../../../../schemas/limits.ts';
import type { FeedRange } from '../../../data/queries/queries.ts';
import type { Live } from '../../../lib/async/live.ts';
import {
  firstRanges,
  limitOf,
  noRanges,
  rangesAt,
  reachesNewest,
  withNewer,
  withOlder,
  withReleased,
  withRevived,
  withRows,
  type FeedRanges,
  type JournalRange,
} from './feed-ranges.ts';

export interface FeedSource {
  readonly read: (range: FeedRange, limit: number) => Live<readonly EntryRow[]>;
  /** As `feedKeyBefore` of the queries, of one journal. */
  readonly keyBefore: (from: string, count: number) => Promise<string | null>;
  /** Where the journal opens; null: at its newest entry. */
  readonly at: string | null;
}

/** The ranges of one journal, each with its own live query while it is needed. */
export interface JournalFeed extends Pick<FeedSource, 'at'> {
  readonly subscribe: (onChange: () => void) => () => void;
  readonly getSnapshot: () => FeedRanges;
  readonly loadOlder: () => void;
  /** Resolves once the page is asked for. Rejects if the database cannot be read. */
  readonly loadNewer: () => Promise<void>;
  readonly toNewest: () => void;
  readonly release: (rangeId: number, heightPx: number) => void;
  readonly revive: (rangeId: number) => void;
  /** For what is known before it is read. */
  readonly change: (next: (state: FeedRanges) => FeedRanges) => void;
}

interface Reading {
  readonly bounds: string;
  readonly stop: () => void;
}

function boundsOf({ after, until }: FeedRange): string {
  return `${after ?? ''} ${until ?? ''}`;
}

export function createJournalFeed({ read, keyBefore, at }: FeedSource): JournalFeed {
  let state = at === null ? firstRanges() : noRanges;
  let isLoadingNewer = false;
  const readings = new Map<number, Reading>();
  const watchers = new Set<() => void>();

  const start = (range: JournalRange): void => {
    const live = read({ after: range.after, until: range.until }, limitOf(range));
    const bounds = boundsOf(range);
    const take = (): void => {
      const rows = live.getSnapshot();
      // A query whose bounds have moved on has nothing to say any more.
      if (rows !== undefined && readings.get(range.id)?.bounds === bounds) {
        update(withRows(state, range.id, rows));
      }
    };
    const reading: { bounds: string; stop: () => void } = { bounds, stop: () => undefined };
    readings.set(range.id, reading);
    const stop = live.subscribe(take);
    // A query may answer while it is subscribed to, and be over by now.
    if (readings.get(range.id) !== reading) {
      stop();
      return;
    }
    reading.stop = stop;
    take();
  };

  const stopReading = (id: number): void => {
    readings.get(id)?.stop();
    readings.delete(id);
  };

  /** Starts and stops queries so that exactly the live ranges are read, each within its bounds. */
  const reconcile = (): void => {
    const isWatched = watchers.size > 0;
    const wanted = new Map<number, JournalRange>(
      state.ranges.filter(({ isLive }) => isLive && isWatched).map((range) => [range.id, range]),
    );
    for (const [id, { bounds }] of readings) {
      const range = wanted.get(id);
      if (range === undefined || boundsOf(range) !== bounds) stopReading(id);
    }
    for (const range of wanted.values()) {
      if (!readings.has(range.id)) start(range);
    }
  };

  const update = (next: FeedRanges): void => {
    if (next === state) return;
    state = next;
    reconcile();
    for (const watcher of watchers) watcher();
  };

  /** Nothing is where the journal opens until it is known how far the page around it reaches. */
  const open = async (key: string): Promise<void> => {
    const after = await keyBefore(key, feedPageSize);
    if (state === noRanges) update(rangesAt(key, after));
  };

  const loadNewer = async (): Promise<void> => {
    const from = state.ranges[0]?.after ?? null;
    if (from === null || isLoadingNewer) return;
    isLoadingNewer = true;
    try {
      const after = await keyBefore(from, feedPageSize);
      if (state.ranges[0]?.after === from) update(withNewer(state, after));
    } finally {
      isLoadingNewer = false;
    }
  };

  return {
    at,
    getSnapshot: () => state,
    subscribe: (onChange) => {
      watchers.add(onChange);
      if (watchers.size === 1) reconcile();
      if (at !== null && state === noRanges) void open(at).catch(() => update(firstRanges()));
      return () => {
        watchers.delete(onChange);
        if (watchers.size === 0) reconcile();
      };
    },
    loadNewer,
    toNewest: () => {
      // Also while the newest page is on its way: it would come under what is read.
      const isThere = reachesNewest(state) && state.ranges[0]?.rows !== null;
      if (!isThere) update(firstRanges(state));
    },
    loadOlder: () => update(withOlder(state)),
    release: (rangeId, heightPx) => update(withReleased(state, rangeId, heightPx)),
    revive: (rangeId) => update(withRevived(state, rangeId)),
    change: (next) => update(next(state)),
  };
}
