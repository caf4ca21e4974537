import type { LockManagerPort } from './web-lock.ts';

interface Request {
  readonly grant: () => void;
}

interface Held {
  readonly steal: () => void;
}

function abortError(): Error {
  return new DOMException('taken away or given up', 'AbortError');
}

type RequestOptions = Parameters<LockManagerPort['request']>[1];
type Work = Parameters<LockManagerPort['request']>[2];

/**
 * Creates exclusive locks in memory, for a page whose browser has no Web Locks, as over plain http, and for tests: a
 * queue, `ifAvailable`, `steal` and `signal`.
 *
 * - Other tabs have their own locks, so each of them syncs. Commits are compare-and-set and uploads are idempotent, so
 *   concurrent syncs only cost requests.
 */
export function createPageLocks(): LockManagerPort {
  const held = new Map<string, Held>();
  const waiting = new Map<string, Request[]>();

  const release = (name: string, mine: Held): void => {
    if (held.get(name) !== mine) return;
    held.delete(name);
    waiting.get(name)?.shift()?.grant();
  };

  const grant = async (name: string, work: Work): Promise<void> => {
    let steal: (() => void) | null = null;
    const stolen = new Promise<never>((_resolve, reject) => {
      steal = () => reject(abortError());
    });
    const mine: Held = { steal: () => steal?.() };
    held.set(name, mine);
    try {
      await Promise.race([work({ name }), stolen]);
    } finally {
      release(name, mine);
    }
  };

  const wait = (name: string, signal: AbortSignal | undefined): Promise<void> =>
    new Promise((resolve, reject) => {
      const queue = waiting.get(name) ?? [];
      waiting.set(name, queue);
      const request = { grant: resolve };
      queue.push(request);
      signal?.addEventListener('abort', () => {
        const index = queue.indexOf(request);
        if (index >= 0) queue.splice(index, 1);
        reject(abortError());
      });
    });

  const request = async (name: string, options: RequestOptions, work: Work): Promise<void> => {
    if (options.signal?.aborted === true) throw abortError();
    if (options.steal === true) held.get(name)?.steal();
    else if (held.has(name)) {
      if (options.ifAvailable === true) return work(null);
      await wait(name, options.signal);
    }
    return grant(name, work);
  };

  return { request };
}
