import { act, render, screen } from '@testing-library/react';
import { Profiler, useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { entryTimeText } from './entry-time-text.ts';
import { followClock, useTimeText, useToday } from './now.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00') });
});

afterEach(() => {
  followClock(() => Date.now());
  vi.useRealTimers();
});

function Age({ ms }: { readonly ms: number }) {
  return <p>{useTimeText((nowMs) => entryTimeText(ms, nowMs))}</p>;
}

it('times on the page grow older by one shared tick, which ends with the last of them', () => {
  const written = Date.now();
  const onOlder = vi.fn<() => void>();
  const shown = render(
    <>
      <Age ms={written} />
      <Profiler id="older" onRender={onOlder}>
        <Age ms={written - 60_000} />
      </Profiler>
    </>,
  );
  expect(vi.getTimerCount()).toBe(1);
  const pass = (ms: number): void => {
    act(() => {
      vi.advanceTimersByTime(ms);
    });
  };
  onOlder.mockClear();
  pass(5_000);
  expect(screen.getByText('5 seconds ago')).toBeDefined();
  pass(25_000);
  expect(screen.getByText('30 seconds ago')).toBeDefined();
  // The text of this hook is unchanged.
  expect(onOlder).not.toHaveBeenCalled();
  pass(30_000);
  expect(screen.getByText('1 minute ago')).toBeDefined();
  expect(screen.getByText('2 minutes ago')).toBeDefined();
  shown.unmount();
  expect(vi.getTimerCount()).toBe(0);
});

it('a form that opens after a day without any time on the page begins with the new day', () => {
  function Form() {
    const today = useToday();
    const [date] = useState(today);
    return <p>{date}</p>;
  }
  render(<Form />).unmount();
  vi.advanceTimersByTime(24 * 3_600_000);
  render(<Form />);
  expect(screen.getByText('2026-11-22')).toBeDefined();
});

it.each([-10, 10, 24 * 60])(
  'an entry is as old by a corrected clock: %d minutes',
  (aheadMinutes) => {
    const corrected = (): number => Date.now() - aheadMinutes * 60_000;
    render(<Age ms={corrected()} />);
    act(() => followClock(corrected));
    expect(screen.getByText('1 second ago')).toBeDefined();
    act(() => {
      vi.advanceTimersByTime(180_000);
    });
    expect(screen.getByText('3 minutes ago')).toBeDefined();
  },
);
