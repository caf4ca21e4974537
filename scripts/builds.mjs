import { run } from './install.mjs';

const vite = (...args) =>
  run(process.execPath, ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', ...args]);

/** Into dist/. @returns the exit code. */
export const buildApp = () => vite();

/** Into .cache/server/. @returns the exit code. */
export const buildServer = () => vite('--config', 'scripts/server.vite.config.ts');
