import * as fc from 'fast-check';
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

it('evicts like a list in the order of use', () => {
  const operation = fc.record({
    kind: fc.constantFrom('get', 'set', 'delete'),
    path: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    characters: fc.constantFrom(100, 600, 2000),
  });
  fc.assert(
    fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
      const cache = createDocumentCache(10_000);
      const got: (readonly [cached: number | undefined, wanted: number | undefined])[] = [];
      let model: { path: string; characters: number }[] = [];
      for (const { kind, path, characters } of operations) {
        const known = model.find((each) => each.path === path);
        const others = model.filter((each) => each !== known);
        if (kind === 'delete') {
          cache.delete(path);
          model = others;
        } else if (kind === 'set') {
          cache.set({ document: document(path), characters });
          model = [...others, { path, characters }];
          while (model.reduce((sum, each) => sum + each.characters * 4 + 500, 0) > 10_000) {
            model.shift();
          }
        } else {
          got.push([cache.get(path)?.characters, known?.characters]);
          if (known !== undefined) model = [...others, known];
        }
      }
      for (const path of ['a', 'b', 'c', 'd', 'e', 'f']) {
        const known = model.find((each) => each.path === path);
        got.push([cache.get(path)?.characters, known?.characters]);
      }
      expect(got.map(([cached]) => cached)).toEqual(got.map(([, wanted]) => wanted));
    }),
  );
});

it('evicts the least recently used documents above its bytes', () => {
  const cache = createDocumentCache(10_000);
  const set = (path: string, characters: number) =>
    cache.set({ document: document(path), characters });
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
