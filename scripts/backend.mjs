import { buildServer } from './bundle/builds.mjs';
import { ensureInstalled, requireNode } from './machine/install.mjs';

requireNode();
ensureInstalled();
const code = buildServer();
if (code !== 0) process.exit(code);
await import(new URL('../.cache/server/backend.js', import.meta.url).href);
