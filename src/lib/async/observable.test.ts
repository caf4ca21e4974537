import { describe, expect, it, vi } from 'vitest';
import { createObservable } from './observable.ts';

describe('an observable value', () => {
  it('calls its subscribers on each change, until they unsubscribe', () => {
    const value = createObservable('first');
    const seen: string[] = [];
    const unsubscribe = value.subscribe(() => seen.push(value.getSnapshot()));
    value.set('second');
    value.set('third');
    unsubscribe();
    value.set('fourth');
    expect(seen).toEqual(['second', 'third']);
    expect(value.getSnapshot()).toBe('fourth');
  });

  it('starts its source for the first subscriber, and stops it once, after the last', () => {
    const stop = vi.fn<() => void>();
    const start = vi.fn<() => () => void>(() => stop);
    const value = createObservable(0, start);
    expect(value.isObserved()).toBe(false);
    const one = value.subscribe(() => undefined);
    const other = value.subscribe(() => undefined);
    expect(start).toHaveBeenCalledOnce();
    one();
    one();
    expect(value.isObserved()).toBe(true);
    expect(stop).not.toHaveBeenCalled();
    other();
    other();
    expect(stop).toHaveBeenCalledOnce();
    value.subscribe(() => undefined);
    expect(start).toHaveBeenCalledTimes(2);
  });
});
