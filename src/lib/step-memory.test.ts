import { expect, it } from 'vitest';
import { createStepMemory } from './step-memory.ts';

it('keeps the values of one owner, until they are forgotten', () => {
  const memory = createStepMemory<string>();
  const data = {};
  memory.set(data, 'step', 'typed');
  expect(memory.get(data, 'step')).toBe('typed');
  expect(memory.get({}, 'step')).toBeUndefined();
  memory.forget(data, 'step');
  expect(memory.get(data, 'step')).toBeUndefined();
});

it('keeps the nine values that were set last', () => {
  const memory = createStepMemory<number>();
  const data = {};
  for (const value of [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 10]) memory.set(data, String(value), value);
  expect([...memory.all(data)]).toEqual([3, 4, 5, 6, 7, 8, 9, 1, 10]);
  expect([...memory.all({})]).toEqual([]);
});
