import { assert, integer, property } from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { localDate } from './calendar-date.ts';
import {
  addDays,
  addMonths,
  datesOf,
  dayOfMonthText,
  monthOf,
  monthsBetween,
  monthText,
  sameDayIn,
  startOfDateMs,
  weeksOf,
} from './calendar-month.ts';

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('months', () => {
  it('are told in words', () => {
    expect(monthText('2026-03')).toBe('March 2026');
    expect(dayOfMonthText('2026-03-01')).toBe('1 March');
    expect(monthOf('2026-03-01')).toBe('2026-03');
  });

  it('are weeks that begin on a Monday', () => {
    const weeks = weeksOf('2026-08');
    expect(weeks).toHaveLength(6);
    expect(weeks[0]).toEqual([null, null, null, null, null, '2026-08-01', '2026-08-02']);
    expect(weeks[5]).toEqual(['2026-08-31', null, null, null, null, null, null]);
    expect(weeksOf('2021-02')).toHaveLength(4);
    expect(weeksOf('2021-02').flat()).toEqual(datesOf('2021-02'));
  });

  it('have as many days as they have', () => {
    expect(datesOf('2028-02').at(-1)).toBe('2028-02-29');
    expect(datesOf('2026-12').at(-1)).toBe('2026-12-31');
  });

  it('are listed newest first, both ends included', () => {
    expect(monthsBetween('2025-11', '2026-02')).toEqual([
      '2026-02',
      '2026-01',
      '2025-12',
      '2025-11',
    ]);
    expect(monthsBetween('2026-02', '2026-02')).toEqual(['2026-02']);
    expect(monthsBetween('2026-03', '2026-02')).toEqual([]);
  });

  it('are stepped through by day and by month, to the last day of a shorter one', () => {
    expect(addDays('2026-02-28', 1)).toBe('2026-03-01');
    expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
    expect(addMonths('2026-03-31', -1)).toBe('2026-02-28');
    expect(addMonths('2026-01-15', -1)).toBe('2025-12-15');
    expect(addMonths('2024-02-29', 12)).toBe('2025-02-28');
    expect(sameDayIn('2026-02', '2026-03-31')).toBe('2026-02-28');
    expect(addMonths('2026-12-31', 1)).toBe('2027-01-31');
  });
});

describe('where this device is', () => {
  const zones = [
    'Europe/London',
    'America/New_York',
    'America/Havana',
    'America/Sao_Paulo',
    'Asia/Beirut',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'Pacific/Apia',
    'Pacific/Kiritimati',
  ];

  it.each(zones)('each instant lies on its own date, in %s', (zone) => {
    vi.stubEnv('TZ', zone);
    const instants = integer({
      min: Date.parse('1970-02-01'),
      max: Date.parse('2060-01-01'),
    });
    assert(
      property(instants, (ms) => {
        const date = localDate(ms);
        expect(startOfDateMs(date)).toBeLessThanOrEqual(ms);
        expect(startOfDateMs(addDays(date, 1))).toBeGreaterThan(ms);
      }),
      { numRuns: 300, seed: 1 },
    );
  });

  it('a day has 23 hours when the clocks go forward, and 25 when they go back', () => {
    vi.stubEnv('TZ', 'Europe/London');
    const hours = (date: string) =>
      (startOfDateMs(addDays(date, 1)) - startOfDateMs(date)) / 3_600_000;
    expect(['2026-03-28', '2026-03-29', '2026-10-25'].map(hours)).toEqual([24, 23, 25]);
    vi.stubEnv('TZ', 'Asia/Beirut');
    // The clocks skip midnight on this date.
    expect(hours('2026-03-29')).toBe(23);
    expect(localDate(startOfDateMs('2026-03-29'))).toBe('2026-03-29');
  });

  it('a date that was skipped has no time', () => {
    vi.stubEnv('TZ', 'Pacific/Apia');
    expect(startOfDateMs('2011-12-30')).toBe(startOfDateMs('2011-12-31'));
  });
});
