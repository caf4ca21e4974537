import { expect, it } from 'vitest';
import { breeds } from './breeds.ts';

it('lists 24 breeds, in order, by label and snake_case value', () => {
  expect(breeds).toHaveLength(24);
  expect(new Set(breeds.map(({ value }) => value)).size).toBe(24);
  const labels = breeds.map(({ label }) => label);
  expect(labels.toSorted()).toEqual(labels);
  for (const { value, label } of breeds) {
    expect(value).toBe(label.toLowerCase().replaceAll(/[ -]/g, '_'));
  }
});

it('has the breeds of the specification', () => {
  const values = breeds.map(({ value }) => value);
  expect(values).toEqual(
    expect.arrayContaining(['golden_retriever', 'labrador_retriever', 'vizsla', 'weimaraner']),
  );
});
