import { expect, it } from 'vitest';
import { dateAfterKey } from './date-keys.ts';

it.each([
  ['ArrowLeft', false, '2026-02-28'],
  ['ArrowRight', false, '2026-03-02'],
  ['ArrowUp', false, '2026-02-22'],
  ['ArrowDown', false, '2026-03-08'],
  ['Home', false, '2026-02-23'],
  ['End', false, '2026-03-01'],
  ['PageUp', false, '2026-02-01'],
  ['PageDown', false, '2026-04-01'],
  ['PageUp', true, '2025-03-01'],
  ['PageDown', true, '2027-03-01'],
  ['a', false, null],
])('%s, with Shift: %s, leads from Sunday 1 March 2026 to %s', (key, shiftKey, date) => {
  expect(dateAfterKey('2026-03-01', { key, shiftKey })).toBe(date);
});
