import { createBuildStamp } from './bundle/build-stamp.mjs';
import { buildApp, buildServer } from './bundle/builds.mjs';
import { ensureInstalled, requireNode, requireWritable, root } from './machine/install.mjs';

requireNode();
ensureInstalled();
const stamp = createBuildStamp(root, process.env);
if (!stamp.isCurrent()) {
  requireWritable();
  stamp.remove();
  const code = buildApp() || buildServer();
  if (code !== 0) process.exit(code);
  stamp.write();
}
await import('./serve/serve-built.mjs');
