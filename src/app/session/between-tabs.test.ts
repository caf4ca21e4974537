import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { settlePromises } from '../../../tests/support/fakes/fake-clock.ts';

const BroadcastChannelOfNode = BroadcastChannel;

beforeEach(() => {
  vi.resetModules();
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.stubGlobal('BroadcastChannel', BroadcastChannelOfNode);
});

/** Loads the module as in a browser without Web Locks, like jsdom, and without `BroadcastChannel`. */
async function load() {
  Reflect.deleteProperty(globalThis, 'BroadcastChannel');
  return import('./between-tabs.ts');
}

it('without Web Locks a tab gets its own lock, and waits for it while it is held here', async () => {
  const { locks } = await load();
  const done: string[] = [];
  const held = locks.request('a', {}, async () => {
    await settlePromises();
    done.push('first');
  });
  const waiting = locks.request('a', {}, async () => void done.push('second'));
  await Promise.all([held, waiting]);
  expect(done).toEqual(['first', 'second']);
});

it('without Web Locks no session of another tab is taken for ended', async () => {
  const { sessionLocks } = await load();
  const found: unknown[] = [];
  const work = async (lock: unknown) => void found.push(lock);
  await sessionLocks.request('session', { mode: 'shared' }, work);
  await sessionLocks.request('session', { ifAvailable: true }, work);
  expect(found).toEqual([{ name: 'session' }, null]);
});

it('without BroadcastChannel messages go through web storage, until the channel is closed', async () => {
  const { openChannel } = await load();
  const channel = openChannel('sync');
  const other = openChannel('other');
  const heard: unknown[] = [];
  channel.listen((message) => heard.push(message));
  other.listen((message) => heard.push(['other', message]));
  const set = vi.spyOn(Storage.prototype, 'setItem');
  channel.post({ type: 'ask' });
  const [key, newValue] = set.mock.calls[0] ?? ['', ''];
  expect(localStorage.getItem(key)).toBeNull();
  // A browser dispatches storage events to the other tabs for both the write and the removal.
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
  window.dispatchEvent(new StorageEvent('storage', { key, newValue: null }));
  channel.close();
  window.dispatchEvent(new StorageEvent('storage', { key, newValue }));
  expect(heard).toEqual([{ type: 'ask' }]);
});

it('a web storage that is full or forbidden loses a message, and nothing else', async () => {
  const { openChannel } = await load();
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError');
  });
  expect(() => openChannel('sync').post('ping')).not.toThrow();
});
