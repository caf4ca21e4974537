import { describe, expect, it } from 'vitest';
import { createInstants } from './instants.ts';

const now = new Date(2026, 10, 25, 14, 0);

describe('an instant of the year', () => {
  it.each([
    ['0 days ago 08:12', new Date(2026, 10, 25, 8, 12)],
    ['1 day ago 19:30', new Date(2026, 10, 24, 19, 30)],
    ['365 days ago 20:00', new Date(2025, 10, 25, 20, 0)],
    ['11-25 08:40', new Date(2026, 10, 25, 8, 40)],
    ['11-25 09:10', new Date(2025, 10, 25, 9, 10)],
    ['01-02 08:20', new Date(2026, 0, 2, 8, 20)],
    ['12-26 15:20', new Date(2025, 11, 26, 15, 20)],
  ])('%s is the latest', (when, expected) => {
    expect(createInstants(now)(when)).toEqual(expected);
  });

  it('of day 0 is of the day before until nine o’clock', () => {
    const early = createInstants(new Date(2026, 10, 25, 8, 59));
    expect(early('0 days ago 08:12')).toEqual(new Date(2026, 10, 24, 8, 12));
  });

  it.each(['', 'yesterday 08:00', '3 days ago', '11-25'])('cannot be read of %j', (when) => {
    expect(() => createInstants(now)(when)).toThrow('not an instant');
  });
});
