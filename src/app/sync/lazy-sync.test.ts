import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { connection } from '../../platform/connection.ts';
import { createLazySync } from './lazy-sync.ts';
import type { LoadSync, SyncHandle, SyncRequest } from './sync-handle.ts';

beforeEach(() => {
  // The browser is idle at once.
  vi.stubGlobal('requestIdleCallback', (work: () => void) => work());
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function setUp(loadSync: LoadSync) {
  const onActivity = vi.fn<SyncRequest['onActivity']>();
  // The database is only passed on to the loaded code, which is a fake here.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const database = {} as SyncRequest['database'];
  const sync = createLazySync({
    uid: 'robin',
    database,
    loadFiles: () => Promise.reject(new Error('not used here')),
    retryRefused: async () => undefined,
    correctedNow: Date.now,
    log: () => undefined,
    onActivity,
    onPageResumed: () => undefined,
    syncOverview: () => {
      throw new Error('not used here');
    },
    loadSync,
  });
  return { sync, onActivity };
}

function fakeHandle() {
  const handle = {
    poke: vi.fn<SyncHandle['poke']>(),
    stop: vi.fn<SyncHandle['stop']>(async () => undefined),
  };
  return handle;
}

it('is running once it is loaded', async () => {
  const handle = fakeHandle();
  const { sync } = setUp(async () => handle);
  expect(sync.running()).toBeUndefined();
  await vi.waitFor(() => expect(sync.running()).toBe(handle));
});

it('reports that it could not be loaded, and loads when the owner asks', async () => {
  const handle = fakeHandle();
  const load = vi.fn<LoadSync>();
  load.mockRejectedValueOnce(new Error('404')).mockResolvedValue(handle);
  const { sync, onActivity } = setUp(load);
  await vi.waitFor(() =>
    expect(onActivity).toHaveBeenCalledWith({ phase: 'problem', problem: 'not-loaded' }),
  );
  expect(load).toHaveBeenCalledTimes(1);
  sync.load();
  await vi.waitFor(() => expect(sync.running()).toBe(handle));
});

it('loads again with the next connection', async () => {
  const load = vi.fn<LoadSync>();
  load.mockRejectedValueOnce(new Error('offline')).mockResolvedValue(fakeHandle());
  const { onActivity } = setUp(load);
  await vi.waitFor(() => expect(onActivity).toHaveBeenCalledTimes(1));
  window.dispatchEvent(new Event('online'));
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(2));
});

it('passes the results of sync on to the page: a server that does not answer, and one that does', async () => {
  const load = vi.fn<LoadSync>(async () => fakeHandle());
  const { onActivity } = setUp(load);
  const tell: SyncRequest['onActivity'] = (activity) =>
    load.mock.calls[0]?.[0].onActivity(activity);
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  tell({ phase: 'offline', problem: 'unavailable' });
  expect(connection.isOnline()).toBe(false);
  tell({ phase: 'syncing', problem: null });
  expect(connection.isOnline()).toBe(false);
  tell({ phase: 'idle', problem: null });
  expect(connection.isOnline()).toBe(true);
  expect(onActivity).toHaveBeenCalledTimes(3);
});

it('says that there is no connection before sync says anything, and no more once it does', async () => {
  const load = vi.fn<LoadSync>(async () => fakeHandle());
  const signal = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { onActivity } = setUp(load);
  expect(onActivity.mock.calls).toEqual([[{ phase: 'offline', problem: null }]]);
  signal.mockReturnValue(true);
  window.dispatchEvent(new Event('online'));
  expect(onActivity).toHaveBeenLastCalledWith({ phase: 'starting', problem: null });
  await vi.waitFor(() => expect(load).toHaveBeenCalledTimes(1));
  load.mock.calls[0]?.[0].onActivity({ phase: 'syncing', problem: null });
  signal.mockReturnValue(false);
  window.dispatchEvent(new Event('offline'));
  expect(onActivity).toHaveBeenLastCalledWith({ phase: 'syncing', problem: null });
});

it('stops a load in flight', async () => {
  const handle = fakeHandle();
  const arrived = new Map<string, (value: SyncHandle) => void>();
  const { sync } = setUp(() => new Promise((resolve) => arrived.set('sync', resolve)));
  const stopped = sync.stop();
  arrived.get('sync')?.(handle);
  await stopped;
  expect(handle.stop).toHaveBeenCalled();
});
