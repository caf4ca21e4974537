import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ensureInstalled, requireNode, root, run } from './machine/install.mjs';

requireNode();
ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
const { installArguments, planUpdates, updateLines } = await import('./release/updates.ts');

// It exits with 1 where something is outdated, and tells of all workspaces.
const { stdout } = spawnSync('npm', ['outdated', '--json'], { cwd: root, encoding: 'utf8' });
const readJson = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
const input = {
  outdated: JSON.parse(stdout || '{}'),
  reasons: readJson('./release/held-back.json'),
  workspaces: readJson('../package.json').workspaces,
};
let plan;
try {
  plan = planUpdates(input);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
for (const line of updateLines(plan)) console.log(line);
if (process.argv.includes('--dry-run')) process.exit(0);
for (const args of installArguments(plan.updates)) {
  if (run('npm', args) !== 0) process.exit(1);
}
if (plan.updates.length > 0) console.log('Now: npm ci && npm test');
