import { proxy, wrap, type Endpoint, type Remote } from 'comlink';
import { currentLayout } from '../../../store/indexeddb/layout.ts';
import { databaseName, versionOf } from '../../../store/indexeddb/stores.ts';
import type { JournalSearch, SearchState } from '../../data/queries/search.ts';
import { createObservable } from '../../lib/async/observable.ts';
import { watchPageKept } from '../../platform/page-cache.ts';
import type { SearchWorker } from '../../search/search-worker.ts';

/** The debounce of writes: one pull writes several entries, and the journal is read again after the last one. */
const quietMs = 500;

/** The part of a worker that the search uses. */
type EndableWorker = Endpoint & Pick<Worker, 'terminate'>;

/** The part of a database that the search uses: the events of the entries. */
interface EntriesOnly {
  readonly journal_entries: {
    readonly $: { subscribe(next: () => void): { unsubscribe(): void } };
  };
}

function startWorker(): EndableWorker {
  return new Worker(new URL('../../search/search-worker.ts', import.meta.url), { type: 'module' });
}

/** A worker that has the owner's database open, or is opening it. */
interface RunningWorker {
  /** Rejects when the worker has ended: its script did not load, or the database did not open. */
  readonly failed: Promise<never>;
  /** Calls the worker. Rejects also when it ends meanwhile. */
  call<Result>(ask: (remote: Remote<SearchWorker>) => Promise<Result>): Promise<Result>;
  end(): void;
}

function run(uid: string, worker: EndableWorker): RunningWorker {
  const remote = wrap<SearchWorker>(worker);
  const ending = new AbortController();
  const failed = new Promise<never>((_, reject) => {
    ending.signal.addEventListener('abort', () => reject(new Error('The search worker has ended')));
  });
  const end = (): void => {
    worker.terminate();
    ending.abort();
  };
  worker.addEventListener('error', end);
  const opened = remote.open(databaseName(uid), versionOf(currentLayout));
  opened.catch(end);
  return { failed, call: (ask) => Promise.race([opened.then(() => ask(remote)), failed]), end };
}

export interface OpenSearch extends JournalSearch {
  close(): void;
}

/** Opens the search. @param start replaces the worker in tests. */
export function openSearch(
  uid: string,
  { journal_entries: entries }: EntriesOnly,
  start: () => EndableWorker = startWorker,
): OpenSearch {
  let running: RunningWorker | null = null;
  let isStale = true;
  let isReading = false;
  const first: SearchState = { readPart: 0, isBroken: false };
  const state = createObservable(first, () => {
    void refresh();
    return () => undefined;
  });
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tell = (change: Partial<SearchState>): void => {
    if (!isClosed) state.set({ ...state.getSnapshot(), ...change });
  };

  /** Each change of the state causes a question, so the same state is not told again. */
  const tellBroken = (): void => {
    if (!state.getSnapshot().isBroken) tell({ isBroken: true });
  };

  const onPart = proxy((readPart: number): void => {
    // Only the first reading reports its progress; later readings update the index within a moment.
    tell({ readPart: state.getSnapshot().readPart < 1 ? readPart : 1 });
  });

  /** Returns the worker. In place of one that has failed it starts another, which has to read the journal again. */
  const worker = (): RunningWorker => {
    if (running !== null) return running;
    const started = run(uid, start());
    running = started;
    started.failed.catch(() => {
      if (isClosed) return;
      running = null;
      isStale = true;
      tellBroken();
    });
    return started;
  };

  const isWanted = (): boolean => isStale && state.isObserved() && !isClosed;

  /**
   * Updates the index until it is current. It waits while nobody subscribes, because each new entry would cause a
   * reading.
   */
  const refresh = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      while (isWanted()) {
        isStale = false;
        await worker().call((remote) => remote.refresh(onPart));
        if (state.getSnapshot().isBroken) tell({ isBroken: false });
      }
    } catch {
      // The next subscriber or the next write tries again.
      isStale = true;
      tellBroken();
    } finally {
      isReading = false;
    }
  };

  // A worker freezes together with its page, and so do its transactions.
  const stopWatching = watchPageKept(() => close());
  const writes = entries.$.subscribe(() => {
    isStale = true;
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), quietMs);
  });

  const close = (): void => {
    isClosed = true;
    clearTimeout(timer);
    writes.unsubscribe();
    stopWatching();
    running?.end();
  };

  return {
    state,
    close,
    find: async (query) => {
      if (isClosed) throw new Error('The search is closed');
      if (running === null) void refresh();
      return worker().call((remote) => remote.find(query));
    },
  };
}
