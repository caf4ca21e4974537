import { expect, it } from 'vitest';
import { exactTimeText } from './exact-time-text.ts';

it.each([
  [new Date(2026, 10, 21, 15, 30), '21 November 2026 at 15:30'],
  [new Date(2019, 0, 2, 3, 4), '2 January 2019 at 03:04'],
  [new Date(2026, 2, 29, 0, 0), '29 March 2026 at 00:00'],
])('of %s is %s', (date, text) => {
  expect(exactTimeText(date.getTime())).toBe(text);
});
