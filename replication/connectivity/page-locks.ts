import type { LockManagerPort } from './web-lock.ts';

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
  /** The holders; aborting one takes its lock away. */
  const held = new Map<string, AbortController>();
  /** The functions that let those begin that wait. */
  const waiting = new Map<string, (() => void)[]>();

  const grant = async (name: string, work: Work): Promise<void> => {
    const mine = new AbortController();
    const stolen = new Promise<never>((_resolve, reject) => {
      mine.signal.addEventListener('abort', () => reject(abortError()));
    });
    held.set(name, mine);
    try {
      await Promise.race([work({ name }), stolen]);
    } finally {
      if (held.get(name) === mine) {
        held.delete(name);
        waiting.get(name)?.shift()?.();
      }
    }
  };

  const wait = (name: string, { signal }: RequestOptions, work: Work): Promise<void> =>
    new Promise((resolve, reject) => {
      const queue = waiting.get(name) ?? [];
      waiting.set(name, queue);
      // It holds the lock at once, so that no other request comes in between.
      const begin = (): void => resolve(grant(name, work));
      queue.push(begin);
      signal?.addEventListener('abort', () => {
        const index = queue.indexOf(begin);
        if (index >= 0) queue.splice(index, 1);
        reject(abortError());
      });
    });

  const request = async (name: string, options: RequestOptions, work: Work): Promise<void> => {
    if (options.signal?.aborted === true) throw abortError();
    if (options.steal === true) held.get(name)?.abort();
    else if (held.has(name)) {
      return options.ifAvailable === true ? work(null) : wait(name, options, work);
    }
    return grant(name, work);
  };

  return { request };
}
