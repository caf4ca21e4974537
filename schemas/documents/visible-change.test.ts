import { expect, it } from 'vitest';
import { isVisibleChange } from './visible-change.ts';

it('a change is visible unless it deletes what the server never had', () => {
  expect(isVisibleChange({ deleted: false, seq: null })).toBe(true);
  expect(isVisibleChange({ deleted: false, seq: 7 })).toBe(true);
  expect(isVisibleChange({ deleted: true, seq: 7 })).toBe(true);
  expect(isVisibleChange({ deleted: true, seq: 0 })).toBe(true);
  expect(isVisibleChange({ deleted: true, seq: null })).toBe(false);
});
