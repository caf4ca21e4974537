import { run } from '../machine/install.mjs';

const vite = (name, ...args) => ({
  name,
  command: process.execPath,
  args: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn', ...args],
});

/** The build writes to dist/. */
export const appBuild = vite('build of the app');

/** The build writes to .cache/server/. */
export const serverBuild = vite(
  'build of the server',
  '--config',
  'scripts/serve/server.vite.config.ts',
);

const build = ({ command, args }) => run(command, args);

/** @returns the exit code. */
export const buildApp = () => build(appBuild);

/** @returns the exit code. */
export const buildServer = () => build(serverBuild);
