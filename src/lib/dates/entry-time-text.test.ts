import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayText, entryTimeText, exactTimeText, fullDayText } from './entry-time-text.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

function at(local: string): number {
  return new Date(local).getTime();
}

const setZone = () => vi.stubEnv('TZ', 'Europe/London');

// The times of the tables below are read before a test begins.
setZone();
beforeEach(setZone);

afterAll(() => {
  vi.unstubAllEnvs();
});

describe('entry time text', () => {
  const now = at('2026-11-21T15:30:00');

  it.each([
    [0, '1 second ago'],
    [1 * second, '1 second ago'],
    [2 * second, '2 seconds ago'],
    [minute - 1, '59 seconds ago'],
    [minute, '1 minute ago'],
    [hour - 1, '59 minutes ago'],
    [hour, '1 hour ago'],
    [15 * hour + 30 * minute, '15 hours ago'],
    [15 * hour + 31 * minute, 'Yesterday at 23:59'],
    [24 * hour, 'Yesterday at 15:30'],
    [39 * hour + 30 * minute, 'Yesterday at 00:00'],
    [39 * hour + 31 * minute, 'Thursday'],
  ])('%d ms ago is %s', (ago, text) => {
    expect(entryTimeText(now - ago, now)).toBe(text);
  });

  it('names the weekday alone for the last days, then the date alone', () => {
    expect(entryTimeText(at('2026-11-15T00:00:00'), now)).toBe('Sunday');
    expect(entryTimeText(at('2026-11-14T23:59:59'), now)).toBe('14 November 2026');
    expect(entryTimeText(at('2019-01-02T03:04:00'), now)).toBe('2 January 2019');
  });

  it('stays with minutes just after midnight', () => {
    const midnight = at('2026-11-21T00:10:00');
    expect(entryTimeText(midnight - 20 * minute, midnight)).toBe('20 minutes ago');
    expect(entryTimeText(midnight - 70 * minute, midnight)).toBe('Yesterday at 23:00');
  });

  it('treats a future instant as just now', () => {
    expect(entryTimeText(now + hour, now)).toBe('1 second ago');
  });

  it('does not make up a date for an entry without one', () => {
    expect([entryTimeText(0, now), exactTimeText(0), fullDayText(0)]).toEqual(
      Array.from({ length: 3 }, () => 'No date'),
    );
  });

  it('counts calendar days, not 24 hours, when the clocks change', () => {
    const afterSpring = at('2026-03-30T00:30:00');
    expect(entryTimeText(at('2026-03-28T23:30:00'), afterSpring)).toBe('Saturday');
    expect(entryTimeText(at('2026-03-29T00:30:00'), afterSpring)).toBe('Yesterday at 00:30');
    const afterAutumn = at('2026-10-26T00:30:00');
    expect(entryTimeText(at('2026-10-25T00:10:00'), afterAutumn)).toBe('Yesterday at 00:10');
  });

  it('speaks of the day and time where the device is', () => {
    const written = Date.UTC(2026, 10, 20, 23, 30);
    const read = Date.UTC(2026, 10, 21, 2, 0);
    expect(entryTimeText(written, read)).toBe('Yesterday at 23:30');
    vi.stubEnv('TZ', 'America/New_York');
    expect(entryTimeText(written, read)).toBe('2 hours ago');
    vi.stubEnv('TZ', 'Asia/Kolkata');
    expect(entryTimeText(written, read)).toBe('2 hours ago');
  });
});

describe('day text', () => {
  const now = at('2026-11-21T15:30:00');

  it.each([
    ['2026-11-21T00:00:00', 'Today'],
    ['2026-11-20T23:59:59', 'Yesterday'],
    ['2026-11-15T12:00:00', 'Sunday'],
    ['2026-11-14T12:00:00', 'Saturday 14 November 2026'],
  ])('of %s is %s', (local, text) => {
    expect(dayText(at(local), now)).toBe(text);
  });
});

it.each([
  [new Date(2026, 10, 21, 15, 30), '21 November 2026 at 15:30'],
  [new Date(2019, 0, 2, 3, 4), '2 January 2019 at 03:04'],
  [new Date(2026, 2, 29, 0, 0), '29 March 2026 at 00:00'],
])('the exact time of %s is %s', (date, text) => {
  expect(exactTimeText(date.getTime())).toBe(text);
});
