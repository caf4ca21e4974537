import { ensureInstalled, requireNode, run } from './install.mjs';

requireNode();
ensureInstalled();
const code = run(process.execPath, [
  'node_modules/vite/bin/vite.js',
  'build',
  '--logLevel',
  'warn',
]);
if (code !== 0) process.exit(code);

// In this very process, so that a signal to it, even kill -9, reaches the server.
const { register } = await import('tsx/esm/api');
register();
const { serve } = await import('./serve.ts');
await serve(process.argv.slice(2), process.env);
