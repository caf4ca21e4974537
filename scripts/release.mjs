import { execFileSync } from 'node:child_process';
import { ensureInstalled, requireNode, root, run } from './machine/install.mjs';

requireNode();
ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
const { release } = await import('./release/release.ts');

const ports = {
  run,
  git: (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim(),
  say: (line) => console.log(line),
};
process.exit(await release({ root, args: process.argv.slice(2) }, ports));
