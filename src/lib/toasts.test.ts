import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createFakeClock, type FakeClock } from '../../tests/support/fakes/fake-clock.ts';
import { createToasts, type Toast, type Toasts } from './toasts.ts';

let clock: FakeClock;
let toasts: Toasts;
let shown: readonly Toast[];
const onShown = vi.fn<(toast: Toast) => void>();

beforeEach(() => {
  clock = createFakeClock();
  shown = [];
  onShown.mockClear();
  let ids = 0;
  toasts = createToasts({
    clock,
    newId: () => `made-${String((ids += 1))}`,
    onChange: (all) => {
      shown = all;
    },
    onShown,
  });
});

const messages = () => shown.map(({ message }) => message);

describe('a toast', () => {
  it('has a variant, an id, a trimmed message, a time of 4000 ms and one of creation', () => {
    expect(toasts.show({ message: '  Saved \n' })).toBe('made-1');
    expect(shown).toEqual([
      {
        id: 'made-1',
        variant: 'info',
        message: 'Saved',
        durationMs: 4_000,
        action: null,
        createdAtMs: clock.now(),
      },
    ]);
    expect(onShown).toHaveBeenCalledTimes(1);
  });

  it('closes after its time, and not before', async () => {
    toasts.show({ message: 'Saved' });
    await clock.advance(3_999);
    expect(messages()).toEqual(['Saved']);
    await clock.advance(1);
    expect(messages()).toEqual([]);
  });

  it.each([0, -1, Number.NEGATIVE_INFINITY, Number.NaN])('stays for %s', async (durationMs) => {
    toasts.show({ message: 'Read me', durationMs });
    await clock.advance(10_000_000);
    expect(messages()).toEqual(['Read me']);
  });

  it('is not gone at once because its time is longer than a timer can be', async () => {
    toasts.show({ message: 'Long', durationMs: Number.POSITIVE_INFINITY });
    await clock.advance(10_000_000);
    expect(messages()).toEqual(['Long']);
  });

  it.each(['', ' ', '\n\t '])('of %j is ignored', (message) => {
    expect(toasts.show({ message, durationMs: 0 })).toBeNull();
    expect(shown).toEqual([]);
    expect(onShown).not.toHaveBeenCalled();
  });

  it('can be dismissed, alone or with all others', async () => {
    const first = toasts.show({ message: 'one' });
    toasts.show({ message: 'two' });
    toasts.show({ message: 'three', durationMs: 0 });
    toasts.dismiss(first ?? '');
    toasts.dismiss('nobody');
    expect(messages()).toEqual(['two', 'three']);
    toasts.clear();
    expect(messages()).toEqual([]);
    await clock.advance(10_000);
    expect(messages()).toEqual([]);
  });

  it('replaces the one with its id, with a new timer', async () => {
    toasts.show({ id: 'sync', message: 'Sending' });
    await clock.advance(3_000);
    toasts.show({ id: 'sync', message: 'Sent' });
    await clock.advance(3_999);
    expect(messages()).toEqual(['Sent']);
    await clock.advance(1);
    expect(messages()).toEqual([]);
  });
});

describe('the same text', () => {
  it('is suppressed for less than 500 ms, whatever became of the first', async () => {
    const first = toasts.show({ message: 'Saved' });
    await clock.advance(499);
    expect(toasts.show({ message: ' Saved ', variant: 'error' })).toBeNull();
    toasts.dismiss(first ?? '');
    expect(toasts.show({ message: 'Saved' })).toBeNull();
    await clock.advance(1);
    expect(toasts.show({ message: 'Saved' })).not.toBeNull();
    expect(onShown).toHaveBeenCalledTimes(2);
  });

  it('counts from when it was shown, not from when it was suppressed', async () => {
    toasts.show({ message: 'Saved' });
    await clock.advance(300);
    toasts.show({ message: 'Saved' });
    await clock.advance(200);
    expect(toasts.show({ message: 'Saved' })).not.toBeNull();
  });

  it('means texts alone: others and anything that is not a text come through', () => {
    toasts.show({ message: 'Saved' });
    toasts.show({ message: 'Saved again' });
    toasts.show({ message: 7 });
    toasts.show({ message: 7 });
    expect(messages()).toEqual(['Saved', 'Saved again', 7, 7]);
  });
});

describe('while toasts are held', () => {
  it('the timers pause, and continue afterwards', async () => {
    toasts.show({ message: 'first' });
    await clock.advance(1_000);
    toasts.hold();
    toasts.show({ message: 'second' });
    await clock.advance(60_000);
    expect(messages()).toEqual(['first', 'second']);
    toasts.release();
    await clock.advance(2_999);
    expect(messages()).toEqual(['first', 'second']);
    await clock.advance(1);
    expect(messages()).toEqual(['second']);
    await clock.advance(1_000);
    expect(messages()).toEqual([]);
  });

  it('releasing twice does not make them go later', async () => {
    toasts.show({ message: 'first' });
    await clock.advance(3_000);
    toasts.hold();
    toasts.release();
    toasts.release();
    await clock.advance(1_000);
    expect(messages()).toEqual([]);
  });

  it('they can be dismissed', async () => {
    const id = toasts.show({ message: 'first' });
    toasts.hold();
    toasts.dismiss(id ?? '');
    toasts.release();
    await clock.advance(10_000);
    expect(messages()).toEqual([]);
  });
});
