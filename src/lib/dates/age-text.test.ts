import { describe, expect, it } from 'vitest';
import { ageText } from './age-text.ts';

describe('age text', () => {
  it.each([
    ['2026-11-21', '0 days'],
    ['2026-11-20', '1 day'],
    ['2026-11-15', '6 days'],
    ['2026-11-14', '1 week'],
    ['2026-11-07', '2 weeks'],
    ['2026-08-24', '12 weeks'],
    ['2026-08-23', '2 months'],
    ['2026-08-21', '3 months'],
    ['2025-11-21', '12 months'],
    ['2024-11-22', '23 months'],
    ['2024-11-21', '2 years'],
    ['2023-11-22', '2 years'],
    ['2023-11-21', '3 years'],
  ])('of a dog born on %s is %s on 2026-11-21', (dob, text) => {
    expect(ageText(dob, '2026-11-21')).toBe(text);
  });

  it('counts a birthday on 29 February with 1 March in other years', () => {
    expect(ageText('2020-02-29', '2026-02-28')).toBe('5 years');
    expect(ageText('2020-02-29', '2026-03-01')).toBe('6 years');
    expect(ageText('2020-02-29', '2028-02-29')).toBe('8 years');
  });

  it('does not count a month before its day has come', () => {
    expect(ageText('2026-01-31', '2026-06-30')).toBe('4 months');
    expect(ageText('2026-01-31', '2026-07-31')).toBe('6 months');
  });

  it('reads as 0 days for a date that is still to come', () => {
    expect(ageText('2026-11-25', '2026-11-21')).toBe('0 days');
  });

  it('counts days over a change of the clocks', () => {
    expect(ageText('2026-03-28', '2026-03-30')).toBe('2 days');
    expect(ageText('2026-10-24', '2026-10-26')).toBe('2 days');
  });
});
