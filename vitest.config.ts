import { defineConfig } from 'vitest/config';

/** One project per runtime: `src` sees a DOM, everything else runs as it would in Node or a worker. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'core',
          environment: 'node',
          include: [
            '{schemas,replication,sw,scripts,src/data}/**/*.test.ts',
            'tests/{contract,integration,architecture}/**/*.test.ts',
          ],
        },
      },
      {
        test: {
          name: 'backend',
          environment: 'node',
          include: ['backend/**/*.test.ts'],
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
