import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/**
 * One project per runtime: `src` sees a DOM, everything else runs as it would in Node or a worker. `system` starts
 * servers, browsers and tools, or plays long histories: `npm test` runs it, `npm run check` does not.
 */
export default defineConfig({
  test: {
    // Vitest leaves one processor to itself, of two only one to the tests.
    maxWorkers: availableParallelism(),
    projects: [
      {
        test: {
          name: 'core',
          environment: 'node',
          include: [
            '{schemas,replication,sw,scripts,functions,src/data}/**/*.test.ts',
            'tests/contract/**/*.test.ts',
          ],
          exclude: [
            'tests/contract/*.{firestore,storage,embedded,firebase-admin,pocketsphinx}.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'backend',
          environment: 'node',
          include: ['backend/src/**/*.test.ts'],
        },
      },
      {
        test: {
          name: 'system',
          environment: 'node',
          include: [
            'backend/tests/**/*.test.ts',
            'tests/{integration,architecture,rules}/**/*.test.ts',
            'tests/contract/*.{firestore,storage,embedded,firebase-admin,pocketsphinx}.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'app',
          environment: 'jsdom',
          include: ['src/**/*.test.{ts,tsx}'],
          exclude: ['src/data/**'],
          setupFiles: ['tests/support/dom-setup.ts'],
        },
      },
    ],
  },
});
