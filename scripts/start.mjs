import { buildApp, buildServer } from './builds.mjs';
import { ensureInstalled, requireNode } from './install.mjs';

requireNode();
ensureInstalled();
const code = buildApp() || buildServer();
if (code !== 0) process.exit(code);
await import('./serve-built.mjs');
