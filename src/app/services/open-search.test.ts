import { expose } from 'comlink';
import { expect, it, onTestFinished, vi } from 'vitest';
import { deferred } from '../../../tests/support/fakes/fake-data.ts';
import type { SearchQuery } from '../../data/queries/search.ts';
import type { SearchWorker } from '../../search/search-worker.ts';
import { openSearch } from './open-search.ts';

const findNone: SearchWorker['find'] = async () => ({ hits: [], count: 0, words: [] });

/** Returns a worker that reads and answers as told. */
function createWorker(refresh: SearchWorker['refresh'], find: SearchWorker['find'] = findNone) {
  const { port1, port2 } = new MessageChannel();
  const api: SearchWorker = {
    open: async () => undefined,
    refresh,
    find,
  };
  expose(api, port2);
  return Object.assign(port1, { terminate: () => port1.close() });
}

/** Returns a worker whose script does not load: it fires an error, and answers nothing. */
function createMissingWorker() {
  const target = new EventTarget();
  return Object.assign(target, {
    postMessage: () => void setTimeout(() => target.dispatchEvent(new Event('error'))),
    terminate: () => undefined,
  });
}

/** Opens the search over these workers, one after the other. */
function openOver(...workers: ReturnType<typeof createWorker | typeof createMissingWorker>[]) {
  const entries = { $: { subscribe: () => ({ unsubscribe: () => undefined }) } };
  const start = () => workers.shift() ?? createMissingWorker();
  const search = openSearch('owner', { journal_entries: entries }, start);
  onTestFinished(() => search.close());
  return search;
}

const anyQuery: SearchQuery = { words: 'ball', petId: null, type: null, pets: [], limit: 10 };
const current = { readPart: 1, isBroken: false };

const aborted = () => new Error('The transaction was aborted');
const readAll: SearchWorker['refresh'] = async (onPart) => onPart(1);

it('is broken after a reading that failed, until one succeeds for the next who looks', async () => {
  let isFailing = true;
  const worker = createWorker(async (onPart) => {
    if (isFailing) throw aborted();
    onPart(1);
  });
  const { state } = openOver(worker);
  const leave = state.subscribe(() => undefined);
  await vi.waitFor(() => expect(state.getSnapshot()?.isBroken).toBe(true));
  leave();
  isFailing = false;
  onTestFinished(state.subscribe(() => undefined));
  await vi.waitFor(() => expect(state.getSnapshot()).toEqual(current));
});

it('starts another worker for the next question, after one whose script did not load', async () => {
  const search = openOver(createMissingWorker(), createWorker(readAll));
  const { state } = search;
  onTestFinished(state.subscribe(() => undefined));
  await vi.waitFor(() => expect(state.getSnapshot()?.isBroken).toBe(true));
  expect(await search.find(anyQuery)).toMatchObject({ count: 0 });
  await vi.waitFor(() => expect(state.getSnapshot()).toEqual(current));
});

it('rejects a question whose worker does not load', async () => {
  const search = openOver(createMissingWorker());
  await expect(search.find(anyQuery)).rejects.toThrow('ended');
});

it('goes on reading when a question fails meanwhile', async () => {
  const read = deferred<undefined>();
  const worker = createWorker(
    async (onPart) => {
      await read.promise;
      onPart(1);
    },
    () => Promise.reject(aborted()),
  );
  const search = openOver(worker);
  onTestFinished(search.state.subscribe(() => undefined));
  await expect(search.find(anyQuery)).rejects.toThrow('aborted');
  read.resolve(undefined);
  await vi.waitFor(() => expect(search.state.getSnapshot()).toEqual(current));
});

it('starts no worker for a question that comes after it was closed', async () => {
  const worker = createWorker(readAll);
  const search = openOver(worker);
  const asked = vi.spyOn(worker, 'postMessage');
  search.close();
  await expect(search.find(anyQuery)).rejects.toThrow('closed');
  expect(asked).not.toHaveBeenCalled();
});
