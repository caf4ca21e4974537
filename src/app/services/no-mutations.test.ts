import { describe, expect, it } from 'vitest';
import { MutationCache } from './no-mutations.ts';

describe('the cache of mutations in the bundles', () => {
  it('is empty, as React Query’s own is without mutations', async () => {
    const cache = new MutationCache();
    expect(cache.findAll()).toEqual([]);
    expect(await cache.resumePausedMutations()).toBeUndefined();
    expect(cache.clear()).toBeUndefined();
  });
});
