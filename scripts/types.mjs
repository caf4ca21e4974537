import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { root } from './install.mjs';

/** One TypeScript project per runtime: what a folder may not touch is not in its library. */
const projects = [
  'tests/tsconfig.json',
  'src/tsconfig.json',
  'src/tsconfig.test.json',
  'backend/tests/tsconfig.json',
  'replication/tsconfig.json',
  'backend/tsconfig.json',
  'functions/tsconfig.json',
  'bench/tsconfig.json',
  'sw/tsconfig.json',
  'schemas/tsconfig.json',
  'scripts/tsconfig.json',
];

const tsc = join(root, 'node_modules/typescript/bin/tsc');
const cache = join(root, '.cache/types');
mkdirSync(cache, { recursive: true });

/** What has not changed since the last check is not checked again. @returns {Promise<boolean>} */
function isGood(project) {
  const memory = join(cache, `${project.replaceAll('/', '-')}.tsbuildinfo`);
  const args = [tsc, '--project', project, '--incremental', '--tsBuildInfoFile', memory];
  const child = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code === 0));
  });
}

const waiting = [...projects];
const results = [];

async function work() {
  for (let project = waiting.shift(); project !== undefined; project = waiting.shift()) {
    results.push(await isGood(project));
  }
}

await Promise.all(Array.from({ length: availableParallelism() }, work));
process.exit(results.every(Boolean) && results.length === projects.length ? 0 : 1);
