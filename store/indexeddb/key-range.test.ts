import 'fake-indexeddb/auto';
import type { RxQueryPlan } from 'rxdb/plugins/core';
import { describe, expect, it } from 'vitest';
import { scanOf, type Keys } from './key-range.ts';

const keys: Keys = {
  primaryPath: 'id',
  booleans: new Set(['_deleted', 'deleted']),
  indexes: [
    { name: 'kind', columns: ['kind'] },
    { name: '[petId+feedKey]', columns: ['petId', 'feedKey'] },
    { name: '[pending+id]', columns: ['pending', 'id'] },
  ],
};

const lowest = Number.MIN_SAFE_INTEGER;
const highest = String.fromCharCode(0xff_ff);

/** RxDB's type of a key has neither booleans nor null, although its plans do. */
type Values = readonly unknown[];

/** A plan of RxDB; both bounds are in it, unless it says otherwise. */
function plan(
  index: string[],
  [start, end]: readonly [Values, Values],
  changes: Partial<RxQueryPlan> = {},
): RxQueryPlan {
  return {
    index,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    startKeys: [...start] as RxQueryPlan['startKeys'],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    endKeys: [...end] as RxQueryPlan['endKeys'],
    inclusiveStart: true,
    inclusiveEnd: true,
    sortSatisfiedByIndex: true,
    selectorSatisfiedByIndex: true,
    ...changes,
  };
}

/** Scans the live rows between two keys. */
function live(
  index: string[],
  [start, end]: readonly [Values, Values],
  changes: Partial<RxQueryPlan> = {},
) {
  const between = [
    [false, ...start],
    [false, ...end],
  ] as const;
  return scanOf(plan(['_deleted', ...index], between, changes), keys);
}

describe('a plan by the primary key', () => {
  it('reads the object store itself, from the first value to the last', () => {
    const scan = live(['id'], [['b'], ['d']]);
    expect(scan).toMatchObject({ index: null, isExact: true, isOrdered: true });
    for (const id of ['b', 'c', 'd']) expect(scan?.range?.includes(id)).toBe(true);
    for (const id of ['a', 'd0']) expect(scan?.range?.includes(id)).toBe(false);
  });

  it('leaves out an exclusive bound', () => {
    const scan = live(['id'], [['b'], ['d']], { inclusiveStart: false, inclusiveEnd: false });
    expect(['b', 'c', 'd'].map((id) => scan?.range?.includes(id))).toEqual([false, true, false]);
  });

  it('reads everything without bounds', () => {
    const scan = live(['id'], [[lowest], [highest]]);
    for (const id of ['', 'a', highest, `${highest}x`])
      expect(scan?.range?.includes(id)).toBe(true);
    expect(scan?.isExact).toBe(true);
  });

  it('compares the mark of a deleted row with each row, since it is in no key', () => {
    expect(live(['id'], [['b'], ['b']])?.pinned).toEqual([['_deleted', false]]);
  });

  it('can read deleted rows as well, which the store has like others', () => {
    const scan = scanOf(
      plan(
        ['_deleted', 'id'],
        [
          [true, 'b'],
          [true, 'b'],
        ],
      ),
      keys,
    );
    expect(scan).toMatchObject({ index: null, pinned: [['_deleted', true]], isExact: true });
  });
});

describe('a plan by an index of several columns', () => {
  const feed = ['petId', 'deleted', 'feedKey', 'id'];

  it('reads one range of it, and compares what no key has', () => {
    const scan = live(feed, [
      ['p1', false, lowest, lowest],
      ['p1', false, highest, highest],
    ]);
    expect(scan).toMatchObject({
      index: '[petId+feedKey]',
      pinned: [
        ['_deleted', false],
        ['deleted', false],
      ],
      isExact: true,
      isOrdered: true,
    });
    expect(scan?.range?.includes(['p1', 'any'])).toBe(true);
    expect(scan?.range?.includes(['p0', 'any'])).toBe(false);
    expect(scan?.range?.includes(['p10', 'any'])).toBe(false);
  });

  it('begins after an exclusive start, and ends with an inclusive end', () => {
    const scan = live(
      ['pending', 'id'],
      [
        [1, 'b'],
        [1, 'd'],
      ],
      { inclusiveStart: false },
    );
    const includes = (id: string): boolean | undefined => scan?.range?.includes([1, id]);
    expect(['a', 'b', 'c', 'd', 'e'].map(includes)).toEqual([false, false, true, true, false]);
  });

  it('reads more than the plan wants if a later column is bounded behind an open one', () => {
    const scan = live(
      ['pending', 'id'],
      [
        [lowest, 'b'],
        [highest, 'd'],
      ],
    );
    expect(scan?.isExact).toBe(false);
    expect(scan?.range?.includes([2, 'z'])).toBe(true);
  });

  it('has no order of its own if a boolean that it does not pin lies between', () => {
    const scan = live(feed, [
      ['p1', lowest, lowest, lowest],
      ['p1', highest, highest, highest],
    ]);
    expect(scan?.isOrdered).toBe(false);
    expect(scan?.pinned).toEqual([['_deleted', false]]);
  });
});

describe('a plan by an index of one column', () => {
  it('reads the rows of one value', () => {
    const scan = live(
      ['kind', 'id'],
      [
        ['device', lowest],
        ['device', highest],
      ],
    );
    expect(scan?.index).toBe('kind');
    expect(['a', 'device', 'x'].map((kind) => scan?.range?.includes(kind))).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('matches nothing if its range is empty', () => {
    expect(
      live(
        ['kind', 'id'],
        [
          ['x', lowest],
          ['a', highest],
        ],
      ),
    ).toBeNull();
  });
});

describe('a plan that no index can serve', () => {
  const everything = { index: null, range: null, pinned: [], isExact: false, isOrdered: false };

  it('by the time of writing reads all rows', () => {
    expect(scanOf(plan(['_deleted', '_meta.lwt', 'id'], [[], []]), keys)).toEqual(everything);
  });

  it.each([null, NaN, {}])('with the value %j, which is no key, reads all rows', (value) => {
    const values = [value, lowest];
    expect(live(['kind', 'id'], [values, values])).toEqual(everything);
  });

  it('for deleted rows reads all rows, since an index has none', () => {
    const deleted = plan(
      ['_deleted', 'kind'],
      [
        [true, 'a'],
        [true, 'a'],
      ],
    );
    expect(scanOf(deleted, keys)).toEqual(everything);
    const both = plan(
      ['_deleted', 'kind'],
      [
        [lowest, 'a'],
        [highest, 'a'],
      ],
    );
    expect(scanOf(both, keys)).toEqual(everything);
  });

  it('is an error, so that a full scan by mistake is noticed', () => {
    expect(() =>
      live(
        ['name', 'id'],
        [
          ['a', lowest],
          ['a', highest],
        ],
      ),
    ).toThrow('no index of name');
  });
});
