import { expect, it } from 'vitest';
import { createDocumentCache } from './document-cache.ts';

const document = (path: string) => ({
  path,
  name: path,
  fields: new Map(),
  createVersion: 1,
  updateVersion: 1,
  owner: null,
});

it('evicts the least recently used documents above its bytes', () => {
  const cache = createDocumentCache(10_000);
  const set = (path: string, textLength: number) => cache.set(document(path), textLength);
  const present = () => ['a', 'b', 'c', 'd'].filter((path) => cache.get(path) !== undefined);
  for (const path of ['a', 'b', 'c']) set(path, 600);
  expect(present()).toEqual(['a', 'b', 'c']);
  cache.get('a');
  set('d', 600);
  expect(present()).toEqual(['a', 'c', 'd']);
  cache.delete('c');
  set('b', 600);
  expect(present()).toEqual(['a', 'b', 'd']);
  set('a', 600);
  expect(present()).toEqual(['a', 'b', 'd']);
  set('c', 10_000);
  expect(present()).toEqual([]);
});
