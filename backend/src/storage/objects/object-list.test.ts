import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { listPage, type ListQuery } from './object-list.ts';

/** Lists a page of these names, in the order of their bytes. */
const pageOf = (names: readonly string[], query: ListQuery) => {
  const sorted = names.map((each) => Buffer.from(each)).toSorted((a, b) => Buffer.compare(a, b));
  const firstFrom = (bytes: Buffer) =>
    sorted.find((each) => Buffer.compare(each, bytes) >= 0)?.toString();
  return listPage(firstFrom, query);
};

const all = (names: readonly string[], prefix: string, maxResults: number) => {
  const items: string[] = [];
  const prefixes: string[] = [];
  let after: string | null = null;
  do {
    const page = pageOf(names, { prefix, delimiter: '/', maxResults, after });
    expect(page.items.length + page.prefixes.length).toBeLessThanOrEqual(maxResults);
    items.push(...page.items);
    prefixes.push(...page.prefixes);
    after = page.next;
  } while (after !== null);
  return { items, prefixes };
};

describe('listing', () => {
  it('a folder once, whatever it holds', () => {
    const names = ['a/1', 'a/2', 'a/b/3', 'a-', 'a', 'ab', 'b/'];
    expect(all(names, '', 100)).toEqual({ items: ['a', 'a-', 'ab'], prefixes: ['a/', 'b/'] });
    expect(all(names, 'a/', 100)).toEqual({ items: ['a/1', 'a/2'], prefixes: ['a/b/'] });
    expect(all(names, 'b/', 100)).toEqual({ items: ['b/'], prefixes: [] });
    expect(all(names, 'none/', 100)).toEqual({ items: [], prefixes: [] });
  });

  it('finds everything once, however small the pages are', () => {
    const name = fc.string({
      unit: fc.constantFrom('a', 'b', '/', '-', '🐕'),
      minLength: 1,
      maxLength: 6,
    });
    fc.assert(
      fc.property(
        fc.uniqueArray(name, { maxLength: 30 }),
        fc.constantFrom('', 'a/', 'b/', 'a/b/', '/'),
        fc.integer({ min: 1, max: 5 }),
        (names, prefix, maxResults) => {
          const under = names.filter((each) => each.startsWith(prefix));
          const rests = under.map((each) => each.slice(prefix.length));
          const items = rests.filter((rest) => !rest.includes('/'));
          const folders = new Set(
            rests.filter((rest) => rest.includes('/')).map((rest) => rest.split('/')[0] + '/'),
          );
          expect(all(names, prefix, maxResults)).toEqual({
            items: items.map((rest) => prefix + rest).toSorted(),
            prefixes: [...folders].map((folder) => prefix + folder).toSorted(),
          });
        },
      ),
    );
  });

  it('continues where it was though the entry is gone', () => {
    const query = { prefix: '', delimiter: '/', maxResults: 2 };
    const first = pageOf(['a', 'b/1', 'c', 'd'], { ...query, after: null });
    expect(first.next).toBe('b/');
    expect(pageOf(['a', 'c', 'd'], { ...query, after: 'b/' }).items).toEqual(['c', 'd']);
  });
});
