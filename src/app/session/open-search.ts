import { proxy, wrap } from 'comlink';
import { currentLayout } from '../../../store/indexeddb/layout.ts';
import { databaseName, versionOf } from '../../../store/indexeddb/stores.ts';
import type { PawPalsDatabase } from '../../../store/rxdb/database.ts';
import type { JournalSearch, SearchState } from '../../data/queries/search.ts';
import { watchPageKept } from '../../platform/page-cache.ts';
import type { SearchWorker } from '../../search/search-worker.ts';

/** Several entries come with one pull: the journal is read again once they are there. */
const quietMs = 500;

function startWorker(): Worker {
  return new Worker(new URL('../../search/search-worker.ts', import.meta.url), { type: 'module' });
}

export interface OpenSearch extends JournalSearch {
  close(): void;
}

/** @param start for tests: what runs beside the page. */
export function openSearch(
  uid: string,
  { journal_entries: entries }: Pick<PawPalsDatabase, 'journal_entries'>,
  start: () => Worker = startWorker,
): OpenSearch {
  const worker = start();
  const remote = wrap<SearchWorker>(worker);
  const watchers = new Set<() => void>();
  let state: SearchState = { readPart: 0, version: 0, isBroken: false };
  let isClosed = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const tell = (change: Partial<SearchState>): void => {
    if (isClosed) return;
    state = { ...state, ...change };
    for (const watcher of watchers) watcher();
  };

  const onPart = proxy((readPart: number): void => {
    // The first reading alone is told as such; what is read again is a moment behind at most.
    const isFirst = state.readPart < 1;
    tell({ readPart: isFirst ? readPart : 1, version: state.version + 1 });
  });

  const opened = remote.open(databaseName(uid), versionOf(currentLayout));
  let isStale = true;
  let isReading = false;

  const isWanted = (): boolean => isStale && watchers.size > 0 && !isClosed;

  /** Reads the journal until it is up to date; not while nobody looks, since each entry would cost a reading. */
  const refresh = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    try {
      await opened;
      while (isWanted()) {
        isStale = false;
        await remote.refresh(onPart);
      }
    } catch {
      tell({ isBroken: true });
    } finally {
      isReading = false;
    }
  };

  worker.addEventListener('error', () => tell({ isBroken: true }));
  // A worker is frozen with its page, its transactions too.
  const stopWatching = watchPageKept(() => worker.terminate());
  const writes = entries.$.subscribe(() => {
    isStale = true;
    clearTimeout(timer);
    timer = setTimeout(() => void refresh(), quietMs);
  });

  return {
    state: {
      getSnapshot: () => state,
      subscribe: (onChange) => {
        watchers.add(onChange);
        void refresh();
        return () => watchers.delete(onChange);
      },
    },
    find: async (query) => {
      await opened;
      return remote.find(query);
    },
    close: () => {
      isClosed = true;
      clearTimeout(timer);
      writes.unsubscribe();
      stopWatching();
      worker.terminate();
    },
  };
}
