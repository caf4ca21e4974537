import 'fake-indexeddb/auto';
import { expect, it } from 'vitest';
import { startingWith } from './file-stores.ts';

it('a range has the keys that begin with a value, however they continue, and no others', () => {
  const range = startingWith('e1');
  for (const key of [['e1'], ['e1', 0], ['e1', 99, 'x'], ['e1', 'x']])
    expect(range.includes(key)).toBe(true);
  for (const key of [['e'], ['e10', 0], ['e0', 99], [1], 'e1'])
    expect(range.includes(key)).toBe(false);
});
