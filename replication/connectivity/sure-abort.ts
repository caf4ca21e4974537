import type { LockManagerPort } from './web-lock.ts';

/**
 * Returns locks whose requests always end when they are aborted. Chromium (156) loses the abort of a request that a page
 * makes and gives up before its first one is answered: that promise stays pending, and a sign-out would wait for it for
 * ever.
 */
export function withSureAbort(locks: LockManagerPort): LockManagerPort {
  return {
    request: (name, options, work) => {
      const { signal } = options;
      if (signal === undefined) return locks.request(name, options, work);
      return new Promise((resolve, reject) => {
        const giveUp = (): void => reject(new DOMException('given up', 'AbortError'));
        const end = (): void => signal.removeEventListener('abort', giveUp);
        signal.addEventListener('abort', giveUp);
        const begin = async (lock: object | null): Promise<void> => {
          end();
          // The lock of a request whose abort was lost is released at once.
          if (!signal.aborted) await work(lock);
        };
        locks.request(name, options, begin).finally(end).then(resolve, reject);
      });
    },
  };
}
