import type { Entry } from '../../../../schemas/documents/document.ts';
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
  readonly read: (range: FeedRange, limit: number) => Live<readonly Entry[]>;
  /** The query `feedKeyBefore` for this journal. */
  readonly keyBefore: (from: string, count: number) => Promise<string | null>;
  /** The key of the entry at which the journal opens; null for the newest. */
  readonly at: string | null;
  /** The ranges of a feed that is opened again. */
  readonly ranges?: FeedRanges | undefined;
}

/** The ranges of one journal. Each live range has a query of its own. */
export interface JournalFeed extends Pick<FeedSource, 'at'> {
  readonly subscribe: (onChange: () => void) => () => void;
  readonly getSnapshot: () => FeedRanges;
  /** Returns one range; undefined once it is no part of the journal. */
  readonly rangeOf: (rangeId: number) => JournalRange | undefined;
  readonly loadOlder: () => void;
  /** Resolves once the page is requested. Rejects if the database cannot be read. */
  readonly loadNewer: () => Promise<void>;
  readonly toNewest: () => void;
  readonly release: (rangeId: number, heightPx: number) => void;
  readonly revive: (rangeId: number) => void;
  /** Applies a change before the queries return it. */
  readonly change: (next: (state: FeedRanges) => FeedRanges) => void;
}

interface Reading {
  readonly bounds: string;
  readonly stop: () => void;
}

function boundsOf({ after, until }: FeedRange): string {
  return `${after ?? ''} ${until ?? ''}`;
}

export function createJournalFeed({ read, keyBefore, at, ranges }: FeedSource): JournalFeed {
  let state = ranges ?? (at === null ? firstRanges() : noRanges);
  let isLoadingNewer = false;
  const readings = new Map<number, Reading>();
  const watchers = new Set<() => void>();

  const start = (range: JournalRange): void => {
    const live = read({ after: range.after, until: range.until }, limitOf(range));
    const bounds = boundsOf(range);
    const take = (): void => {
      const rows = live.getSnapshot();
      // A query whose bounds have changed is stale.
      if (rows !== undefined && readings.get(range.id)?.bounds === bounds) {
        update(withRows(state, range.id, rows));
      }
    };
    const reading: { bounds: string; stop: () => void } = { bounds, stop: () => undefined };
    readings.set(range.id, reading);
    const stop = live.subscribe(take);
    // A query may return while it is being subscribed to, and its range may be replaced by then.
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

  /** Opens the journal at an entry, once the bounds of the page around it are read. */
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
    rangeOf: (rangeId) => state.ranges.find(({ id }) => id === rangeId),
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
      // A newest page in flight does not count, because it would render below the rows that are being read.
      const isThere = reachesNewest(state) && state.ranges[0]?.rows !== null;
      if (!isThere) update(firstRanges(state));
    },
    loadOlder: () => update(withOlder(state)),
    release: (rangeId, heightPx) => update(withReleased(state, rangeId, heightPx)),
    revive: (rangeId) => update(withRevived(state, rangeId)),
    change: (next) => update(next(state)),
  };
}
