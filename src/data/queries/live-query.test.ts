import { Subject } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import { combineLive, liveFrom } from './live-query.ts';

const noError = (error: unknown): void => {
  throw error;
};

function setUp() {
  const source = new Subject<number>();
  const open = vi.fn<() => Subject<number>>(() => source);
  const onError = vi.fn<(error: unknown) => void>();
  const live = liveFrom(open, (result) => ({ result }), onError);
  return { source, open, onError, live };
}

describe('a live query', () => {
  it('runs once for all its subscribers, from the first to the last', () => {
    const { live, open, source } = setUp();
    expect(open).not.toHaveBeenCalled();
    const [stopOne, stopOther] = [live.subscribe(() => {}), live.subscribe(() => undefined)];
    expect(open).toHaveBeenCalledTimes(1);
    stopOne();
    expect(source.observed).toBe(true);
    stopOther();
    expect(source.observed).toBe(false);
  });

  it('tells every subscriber of a value, which stays the same object until the next', () => {
    const { live, source } = setUp();
    const watchers = [vi.fn<() => void>(), vi.fn<() => void>()];
    for (const watcher of watchers) live.subscribe(watcher);
    expect(live.getSnapshot()).toBeUndefined();
    source.next(7);
    for (const watcher of watchers) expect(watcher).toHaveBeenCalledTimes(1);
    expect(live.getSnapshot()).toEqual({ result: 7 });
    expect(live.getSnapshot()).toBe(live.getSnapshot());
  });

  it('does not tell a subscriber that has left', () => {
    const { live, source } = setUp();
    const left = vi.fn<() => void>();
    live.subscribe(() => undefined);
    live.subscribe(left)();
    source.next(7);
    expect(left).not.toHaveBeenCalled();
  });

  it('keeps its last value for a later subscriber, for whom it runs again', () => {
    const { live, open, source } = setUp();
    const stop = live.subscribe(() => undefined);
    source.next(7);
    stop();
    expect(live.getSnapshot()).toEqual({ result: 7 });
    live.subscribe(() => undefined);
    expect(open).toHaveBeenCalledTimes(2);
    source.next(8);
    expect(live.getSnapshot()).toEqual({ result: 8 });
  });

  it('reports that a query failed, and keeps what it has', () => {
    const { live, onError, source } = setUp();
    live.subscribe(() => undefined);
    source.next(7);
    source.error('broken');
    expect(onError).toHaveBeenCalledWith('broken');
    expect(live.getSnapshot()).toEqual({ result: 7 });
  });
});

describe('several live queries together', () => {
  function setUpTwo() {
    const [one, other] = [new Subject<number>(), new Subject<string>()];
    const combine = vi.fn<(values: { one: number; other: string }) => string>(
      (values) => `${values.one} ${values.other}`,
    );
    const sources = {
      one: liveFrom(() => one, Number, noError),
      other: liveFrom(() => other, String, noError),
    };
    return { one, other, combine, live: combineLive(sources, combine) };
  }

  it('have a value once each has one', () => {
    const { live, one, other } = setUpTwo();
    live.subscribe(() => undefined);
    expect(live.getSnapshot()).toBeUndefined();
    one.next(1);
    expect(live.getSnapshot()).toBeUndefined();
    other.next('a');
    expect(live.getSnapshot()).toBe('1 a');
  });

  it('are combined again when one of them changes, and only then', () => {
    const { live, combine, one, other } = setUpTwo();
    const watcher = vi.fn<() => void>();
    live.subscribe(watcher);
    one.next(1);
    other.next('a');
    expect([live.getSnapshot(), live.getSnapshot()]).toEqual(['1 a', '1 a']);
    expect(combine).toHaveBeenCalledTimes(1);
    other.next('b');
    expect(live.getSnapshot()).toBe('1 b');
    other.next('b');
    expect(live.getSnapshot()).toBe('1 b');
    expect(combine).toHaveBeenCalledTimes(2);
    expect(watcher).toHaveBeenCalledTimes(4);
  });

  it('all stop with their subscriber', () => {
    const { live, one, other } = setUpTwo();
    const stop = live.subscribe(() => undefined);
    expect([one.observed, other.observed]).toEqual([true, true]);
    stop();
    expect([one.observed, other.observed]).toEqual([false, false]);
  });
});
