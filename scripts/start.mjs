import { createBuildStamp } from './build-stamp.mjs';
import { buildApp, buildServer } from './builds.mjs';
import { ensureInstalled, requireNode, root } from './install.mjs';

requireNode();
ensureInstalled();
const stamp = createBuildStamp(root, process.env);
if (!stamp.isCurrent()) {
  stamp.remove();
  const code = buildApp() || buildServer();
  if (code !== 0) process.exit(code);
  stamp.write();
}
await import('./serve-built.mjs');
