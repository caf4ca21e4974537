import { expect, it } from 'vitest';
import { createStepMemory } from './step-memory.ts';

it('keeps the values of one owner, until they are forgotten', () => {
  const memory = createStepMemory<string>();
  const visit = {};
  memory.set(visit, 'step', 'typed');
  expect(memory.get(visit, 'step')).toBe('typed');
  expect(memory.get({}, 'step')).toBeUndefined();
  memory.forget(visit, 'step');
  expect(memory.get(visit, 'step')).toBeUndefined();
});

it('keeps the nine values that were set last', () => {
  const memory = createStepMemory<number>();
  const visit = {};
  for (const value of [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 10]) memory.set(visit, String(value), value);
  expect([...memory.all(visit)]).toEqual([3, 4, 5, 6, 7, 8, 9, 1, 10]);
  expect([...memory.all({})]).toEqual([]);
});
