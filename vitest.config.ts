import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Tests of servers and of the project itself that leave nothing in a module. Two files replace a module of Node. */
const ofServers = [
  'backend/tests/{auth,firestore,storage}/**/*.test.ts',
  'backend/tests/server/**/!(durable-store|pages).test.ts',
  'tests/{architecture,rules}/**/*.test.ts',
];

/** Tests of what a page does once and never ends, or tests that must be loaded before a package. */
const loadedAlone = [
  'src/app/native/native.test.tsx',
  'src/app/pwa/service-worker.test.ts',
  'src/platform/install/install-offer.test.ts',
  'src/platform/page-cache.test.ts',
  'src/platform/storage/storage-protection.test.ts',
  'src/platform/native/*.test.ts',
];

const takesLong = ({ moduleId }: TestSpecification): boolean =>
  /histories|sweeps|fuzz|crash|boundaries|pocketsphinx|conformance/.test(moduleId);

/** Sorts the slowest files first, also if no earlier run has left their times. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's own, not a list's
    const sorted = await super.sort(files);
    return [...sorted.filter(takesLong), ...sorted.filter((file) => !takesLong(file))];
  }
}

/**
 * One project per runtime: `src` has a DOM, everything else runs as in Node or a worker. `servers` and `system` start
 * servers, browsers and tools, or play long histories: `npm test` runs them, `npm run check` does not.
 *
 * Tests share their modules between files, since loading these again for each file takes longer than most tests. The
 * projects `alone` and `system` isolate them: packages keep the server that they first contacted.
 */
export default defineConfig({
  test: {
    // By default Vitest reserves one processor for itself, which leaves only one of two to the tests.
    maxWorkers: availableParallelism(),
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Vite's transformed modules are cached on disk between runs.
    experimental: { fsModuleCache: true, fsModuleCachePath: '.cache/vitest' },
    unstubGlobals: true,
    restoreMocks: true,
    // These limits end a test that hangs; a test that is slow on a busy machine passes.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 20_000 } },
    setupFiles: ['tests/support/setups/patience.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          environment: 'jsdom',
          isolate: true,
          include: loadedAlone,
          setupFiles: ['tests/support/setups/patience.ts', 'tests/support/setups/dom-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'core',
          environment: 'node',
          include: [
            '{schemas,store,replication,sw,scripts,functions,src/data,src/search}/**/*.test.ts',
            'tests/contract/**/*.test.ts',
          ],
          exclude: [
            ...loadedAlone,
            'tests/contract/*.{firestore,storage,embedded,firebase-admin,pocketsphinx}.test.ts',
          ],
        },
      },
      {
        extends: true,
        test: {
          name: 'backend',
          environment: 'node',
          include: ['backend/src/**/*.test.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'servers',
          environment: 'node',
          globalSetup: ['backend/tests/support/servers/build-once.ts'],
          include: ofServers,
        },
      },
      {
        extends: true,
        test: {
          name: 'system',
          environment: 'node',
          isolate: true,
          globalSetup: ['backend/tests/support/servers/build-once.ts'],
          include: [
            'backend/tests/**/*.test.ts',
            'tests/{integration,architecture,rules}/**/*.test.ts',
            'tests/contract/*.{firestore,storage,embedded,firebase-admin,pocketsphinx}.test.ts',
          ],
          exclude: ofServers,
        },
      },
      {
        extends: true,
        test: {
          name: 'app',
          environment: 'jsdom',
          include: ['src/**/*.test.{ts,tsx}', 'tests/support/*.test.ts'],
          exclude: ['src/{data,search}/**', ...loadedAlone],
          setupFiles: [
            'tests/support/setups/patience.ts',
            'tests/support/setups/dom-setup.ts',
            'tests/support/setups/nothing-left.ts',
          ],
        },
      },
    ],
  },
});
