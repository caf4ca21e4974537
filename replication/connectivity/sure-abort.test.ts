import { expect, it, vi } from 'vitest';
import { createPageLocks } from './page-locks.ts';
import { withSureAbort } from './sure-abort.ts';
import type { LockManagerPort } from './web-lock.ts';

/** Locks that lose every abort. */
function forgetful(): LockManagerPort {
  const locks = createPageLocks();
  return {
    request: (name, { signal: _lost, ...options }, work) => locks.request(name, options, work),
  };
}

/** A lock that another has, and how it is released. */
function takenIn(locks: LockManagerPort): () => Promise<void> {
  const release = new AbortController();
  const held = locks.request('a', {}, () => {
    return new Promise((resolve) => release.signal.addEventListener('abort', () => resolve()));
  });
  return () => {
    release.abort();
    return held;
  };
}

it('ends a request whose abort is lost, and does not begin its work later', async () => {
  const locks = withSureAbort(forgetful());
  const release = takenIn(locks);
  const aborting = new AbortController();
  const work = vi.fn<() => Promise<void>>();
  const asked = locks.request('a', { signal: aborting.signal }, work);
  aborting.abort();
  await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  await release();
  const next = vi.fn<() => Promise<void>>(() => Promise.resolve());
  await locks.request('a', {}, next);
  expect(next).toHaveBeenCalledOnce();
  expect(work).not.toHaveBeenCalled();
});

it('lets work that has begun end, although its request is aborted then', async () => {
  const locks = withSureAbort(createPageLocks());
  const aborting = new AbortController();
  let isDone = false;
  await locks.request('a', { signal: aborting.signal }, async () => {
    aborting.abort();
    await Promise.resolve();
    isDone = true;
  });
  expect(isDone).toBe(true);
});

it('passes on that a request is refused, or that its work fails', async () => {
  const { signal } = new AbortController();
  const failure = new Error('no work');
  const locks = withSureAbort(createPageLocks());
  await expect(locks.request('a', { signal }, () => Promise.reject(failure))).rejects.toBe(failure);
  const refused = AbortSignal.abort();
  await expect(locks.request('a', { signal: refused }, async () => {})).rejects.toMatchObject({
    name: 'AbortError',
  });
});
