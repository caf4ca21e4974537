import { expose } from 'comlink';
import { openSearchStore } from '../../store/search-store.ts';
import { createSearchEngine, type SearchEngine } from './search-engine.ts';

let opening: Promise<SearchEngine> | null = null;

function engine(): Promise<SearchEngine> {
  return opening ?? Promise.reject(new Error('No journal is open'));
}

/** The worker's API. The index lives in the worker, so that typing and scrolling never wait for it. */
const searchWorker = {
  open: async (name: string, version: number): Promise<void> => {
    opening = openSearchStore(name, version).then(createSearchEngine);
    await opening;
  },
  refresh: async (onPart: Parameters<SearchEngine['refresh']>[0]): Promise<void> =>
    (await engine()).refresh(onPart),
  find: async (...query: Parameters<SearchEngine['find']>) => (await engine()).find(...query),
};

export type SearchWorker = typeof searchWorker;

expose(searchWorker);
