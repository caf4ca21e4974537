import { expose } from 'comlink';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { SearchWorker } from '../../search/search-worker.ts';
import { openSearch } from './open-search.ts';

/** Opens the search over a worker that reads as told. */
function openOver(refresh: SearchWorker['refresh']) {
  const { port1, port2 } = new MessageChannel();
  const worker: SearchWorker = {
    open: async () => undefined,
    refresh,
    find: async () => ({ hits: [], count: 0, words: [] }),
  };
  expose(worker, port2);
  const entries = { $: { subscribe: () => ({ unsubscribe: () => undefined }) } };
  const start = () => Object.assign(port1, { terminate: () => port1.close() });
  const search = openSearch('owner', { journal_entries: entries }, start);
  onTestFinished(() => search.close());
  return search;
}

it('is broken after a reading that failed, until one succeeds for the next who looks', async () => {
  let isFailing = true;
  const { state } = openOver(async (onPart) => {
    if (isFailing) throw new Error('The transaction was aborted');
    onPart(1);
  });
  const leave = state.subscribe(() => undefined);
  await vi.waitFor(() => expect(state.getSnapshot()?.isBroken).toBe(true));
  leave();
  isFailing = false;
  onTestFinished(state.subscribe(() => undefined));
  await vi.waitFor(() => expect(state.getSnapshot()).toEqual({ readPart: 1, isBroken: false }));
});
