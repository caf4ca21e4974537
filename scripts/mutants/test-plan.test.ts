import { expect, it } from 'vitest';
import { testPlan } from './test-plan.ts';

const reach = (test: string, project: string, distances: Record<string, number>) => ({
  test,
  project,
  distances,
});

it('the tests beside a file run first, then the nearest ones, and those with servers only for survivors', () => {
  const plan = testPlan('store/a.ts', [
    reach('replication/far.test.ts', 'core', { 'store/a.ts': 4 }),
    reach('src/screen.test.tsx', 'app', { 'store/a.ts': 3 }),
    reach('src/near.test.ts', 'core', { 'store/a.ts': 1 }),
    reach('store/beside.test.ts', 'core', { 'store/a.ts': 2 }),
    reach('store/unrelated.test.ts', 'core', { 'store/b.ts': 1 }),
    reach('tests/integration/npm-start.test.ts', 'system', { 'store/a.ts': 2 }),
    reach('tests/integration/commands/histories.test.ts', 'system', { 'store/a.ts': 3 }),
    reach('tests/contract/store.server.test.ts', 'system', { 'store/a.ts': 1 }),
  ]);
  expect(plan).toEqual({
    near: ['store/beside.test.ts', 'src/near.test.ts', 'replication/far.test.ts'],
    wide: ['tests/contract/store.server.test.ts', 'tests/integration/commands/histories.test.ts'],
  });
});
