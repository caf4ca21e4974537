import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { holdIdleWork, releaseIdleWork, whenIdle } from './when-idle.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('requestIdleCallback', (work: () => void) => setTimeout(work, 1));
  vi.stubGlobal('cancelIdleCallback', (handle: number) => clearTimeout(handle));
});

afterEach(() => {
  releaseIdleWork();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('idle work', () => {
  it('runs when the page has a moment, if no session is being opened', () => {
    const work = vi.fn<() => void>();
    whenIdle(work);
    expect(work).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledOnce();
  });

  it('waits for the first rows of a session, also with a page that calls itself idle', () => {
    const work = vi.fn<() => void>();
    holdIdleWork();
    whenIdle(work);
    vi.advanceTimersByTime(1_000);
    expect(work).not.toHaveBeenCalled();
    releaseIdleWork();
    vi.advanceTimersByTime(1);
    expect(work).toHaveBeenCalledOnce();
  });

  it('waits for no longer than a moment on a screen without rows', () => {
    const work = vi.fn<() => void>();
    holdIdleWork();
    whenIdle(work);
    vi.advanceTimersByTime(1_501);
    expect(work).toHaveBeenCalledOnce();
  });

  it('can be called off while it is held, and after', () => {
    const [first, second, third] = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()];
    holdIdleWork();
    const callOff = whenIdle(first);
    const callOffLater = whenIdle(second);
    whenIdle(third);
    callOff();
    releaseIdleWork();
    callOffLater();
    vi.advanceTimersByTime(10);
    expect([first, second, third].map(({ mock }) => mock.calls.length)).toEqual([0, 0, 1]);
  });
});
