import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from './install.mjs';

/** One TypeScript project per runtime: what a folder may not touch is not in its library. */
const projects = [
  'schemas',
  'replication',
  'src',
  'sw',
  'backend',
  'backend/tests',
  'bench',
  'scripts',
  'tests',
].map((folder) => join(folder, 'tsconfig.json'));

const missing = projects.filter((project) => !existsSync(join(root, project)));
if (missing.length > 0) console.error(`There is no ${missing.join(', ')}`);

const failed = projects.filter((project) => run('npx', ['tsc', '--project', project]) !== 0);
process.exit(missing.length + failed.length === 0 ? 0 : 1);
