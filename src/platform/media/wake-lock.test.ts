import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { keepAwake } from './wake-lock.ts';

/** A browser that locks the screen, and releases the locks of a page that is hidden. */
function setUp() {
  const held = new Set<object>();
  const request = async () => {
    const lock = { release: async () => void held.delete(lock) };
    held.add(lock);
    return lock;
  };
  vi.stubGlobal('navigator', { wakeLock: { request } });
  const show = (state: DocumentVisibilityState) => {
    if (state === 'hidden') held.clear();
    vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state);
    document.dispatchEvent(new Event('visibilitychange'));
  };
  onTestFinished(() => show('visible'));
  return { held, show };
}

describe('the lock of the screen', () => {
  it('is taken again when the page is shown again, until it is released', async () => {
    const { held, show } = setUp();
    const letSleep = keepAwake();
    await expect.poll(() => held.size).toBe(1);
    show('hidden');
    expect(held.size).toBe(0);
    show('visible');
    window.dispatchEvent(new Event('focus'));
    await expect.poll(() => held.size).toBe(1);
    letSleep();
    await expect.poll(() => held.size).toBe(0);
    show('visible');
    expect(held.size).toBe(0);
  });

  it('is none where the browser refuses it', async () => {
    const request = vi.fn<() => Promise<never>>(() => Promise.reject(new Error('low battery')));
    vi.stubGlobal('navigator', { wakeLock: { request } });
    expect(keepAwake()).not.toThrow('low battery');
    expect(request).toHaveBeenCalledOnce();
  });
});
