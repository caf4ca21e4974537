import type { EntryRow } from '../../../schemas/document.ts';
import type { FeedRange } from '../../data/queries.ts';
import type { Live } from '../../lib/live.ts';
import {
  firstRanges,
  limitOf,
  withOlder,
  withReleased,
  withRevived,
  withRows,
  type FeedRanges,
  type JournalRange,
} from './feed-ranges.ts';

export type ReadRange = (range: FeedRange, limit: number) => Live<readonly EntryRow[]>;

/** The ranges of one journal, each with its own live query while it is needed. */
export interface JournalFeed {
  readonly subscribe: (onChange: () => void) => () => void;
  readonly getSnapshot: () => FeedRanges;
  readonly loadOlder: () => void;
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

export function createJournalFeed(read: ReadRange): JournalFeed {
  let state = firstRanges();
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

  return {
    getSnapshot: () => state,
    subscribe: (onChange) => {
      watchers.add(onChange);
      if (watchers.size === 1) reconcile();
      return () => {
        watchers.delete(onChange);
        if (watchers.size === 0) reconcile();
      };
    },
    loadOlder: () => update(withOlder(state)),
    release: (rangeId, heightPx) => update(withReleased(state, rangeId, heightPx)),
    revive: (rangeId) => update(withRevived(state, rangeId)),
    change: (next) => update(next(state)),
  };
}
