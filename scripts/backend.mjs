import { buildServer } from './builds.mjs';
import { ensureInstalled, requireNode } from './install.mjs';

requireNode();
ensureInstalled();
const code = buildServer();
if (code !== 0) process.exit(code);
await import(new URL('../.cache/server/backend.js', import.meta.url).href);
