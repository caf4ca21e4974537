import { act, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DayHeading } from './day-heading.tsx';

beforeEach(() => {
  vi.stubEnv('TZ', 'Europe/London');
  vi.useFakeTimers({ now: new Date('2026-03-11T12:00:00Z') });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** Shows entries of these times, oldest first. @returns a function that returns the heading above each, or ''. */
function showEntries(...times: readonly string[]) {
  render(
    times.map((time, index) => {
      const before = times[index - 1];
      const beforeMs = before === undefined ? null : Date.parse(before);
      return (
        <article key={time}>
          <DayHeading ms={Date.parse(time)} beforeMs={beforeMs} />
        </article>
      );
    }),
  );
  return () => screen.getAllByRole('article').map(({ textContent }) => textContent);
}

function pass(ms: number): void {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
}

it('each day has one heading, by the zone in which the device is now', () => {
  const headings = showEntries(
    '2026-03-10T14:00:00Z',
    '2026-03-10T20:00:00Z',
    '2026-03-11T08:00:00Z',
  );
  expect(headings()).toEqual(['Yesterday', '', 'Today']);
  vi.stubEnv('TZ', 'Asia/Tokyo');
  pass(5_000);
  expect(headings()).toEqual(['Yesterday', 'Today', '']);
  vi.stubEnv('TZ', 'Pacific/Kiritimati');
  pass(5_000);
  expect(headings()).toEqual(['Yesterday', '', '']);
});

it('entries that a wrong clock has put in the days to come are of today', () => {
  const headings = showEntries(
    '2026-03-11T08:00:00Z',
    '2026-03-12T08:00:00Z',
    '2026-03-14T08:00:00Z',
  );
  expect(headings()).toEqual(['Today', '', '']);
  pass(24 * 3_600_000);
  expect(headings()).toEqual(['Yesterday', 'Today', '']);
});
