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

/** A worker with the owner's database open, until a call fails. */
interface RunningWorker {
  call<Result>(ask: (remote: Remote<SearchWorker>) => Promise<Result>): Promise<Result>;
  end(): void;
}

function run(uid: string, worker: EndableWorker): RunningWorker {
  const remote = wrap<SearchWorker>(worker);
  // A worker whose script does not load answers no call.
  const failed = new Promise<never>((_, reject) => {
    worker.addEventListener('error', () => reject(new Error('The search worker has failed')));
  });
  const opened = remote.open(databaseName(uid), versionOf(currentLayout));
  return {
    call: (ask) => Promise.race([opened.then(() => ask(remote)), failed]),
    end: () => worker.terminate(),
  };
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

  const onPart = proxy((readPart: number): void => {
    // Only the first reading reports its progress; later readings update the index within a moment.
    tell({ readPart: state.getSnapshot().readPart < 1 ? readPart : 1 });
  });

  /** Calls the worker. After a failure the next call starts another one, which has to read the journal again. */
  const call: RunningWorker['call'] = async (ask) => {
    if (isClosed) throw new Error('The search is closed');
    const current = (running ??= run(uid, start()));
    try {
      return await current.call(ask);
    } catch (error) {
      current.end();
      if (running === current) running = null;
      isStale = true;
      throw error;
    }
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
        await call((remote) => remote.refresh(onPart));
        if (state.getSnapshot().isBroken) tell({ isBroken: false });
      }
    } catch {
      // The next question, subscriber or write tries again. Each change of the state causes a question.
      if (!state.getSnapshot().isBroken) tell({ isBroken: true });
    } finally {
      isReading = false;
    }
  };

  // A worker freezes together with its page, and so do its transactions.
  const stopWatching = watchPageKept(() => running?.end());
  const writes = entries.$.subscribe(() => {
    isStale = true;
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), quietMs);
  });

  return {
    state,
    find: (query) => {
      void refresh();
      return call((remote) => remote.find(query));
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      writes.unsubscribe();
      stopWatching();
      running?.end();
    },
  };
}
