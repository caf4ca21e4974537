import { describe, expect, it } from 'vitest';
import { emptyCheckpoint } from '../schemas/local/local-record.ts';
import { newPet } from '../tests/support/fixtures/sync-documents.ts';
import { isNothing, together, type Writes } from './document-store.ts';

const stored = { document: newPet('p1'), revision: '1' };
const one: Required<Writes> = {
  swaps: [{ from: stored, to: newPet('p1') }],
  forgotten: [stored],
  livePets: ['p1'],
  records: [['checkpoint', emptyCheckpoint]],
  jobs: [{ from: null, to: null }],
  bytes: [['a', null]],
  recordings: ['e1'],
};

describe('writes together', () => {
  it('are all writes of each, in their order', () => {
    const both = together(one, { ...one, recordings: ['e2'] });
    expect(both.recordings).toEqual(['e1', 'e2']);
    for (const [name, list] of Object.entries({ ...one, recordings: [] }))
      expect({ ...both, recordings: [] }).toHaveProperty(name, [...list, ...list]);
  });

  it('with nothing are the same', () => {
    expect(together(one, {})).toEqual(one);
    expect(together({}, one)).toEqual(one);
  });
});

describe('nothing to write', () => {
  it('is no list with an item', () => {
    expect(isNothing({})).toBe(true);
    expect(isNothing(together())).toBe(true);
  });

  it('is a condition alone', () => {
    expect(isNothing({ livePets: ['p1'] })).toBe(true);
    expect(isNothing({ livePets: ['p1'], recordings: ['e1'] })).toBe(false);
  });

  it('is not a single write of any kind', () => {
    const { livePets: _condition, ...writes } = one;
    const kinds = Object.entries(writes);
    expect(kinds.filter(([name, list]) => isNothing({ [name]: list }))).toEqual([]);
  });
});
