import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { filesUnder } from './repository-files.ts';
import { root } from './seeded-tree.ts';

it('React Query is not asked for mutations or infinite queries, which the bundles do not have', () => {
  const users = filesUnder('src').filter((path) =>
    /\b(useMutation|MutationObserver.*@tanstack|getMutationCache|(use)?[iI]sMutating|\w+InfiniteQuer|InfiniteQueryObserver)/.test(
      readFileSync(join(root, path), 'utf8'),
    ),
  );
  expect(users).toEqual([]);
});
