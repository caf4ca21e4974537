import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { ensureInstalled, requireNode, root, run } from './machine/install.mjs';

requireNode();
ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
const [{ deploy }, { deployCheck }, { deployPlan }, { runSmoke }] = await Promise.all([
  import('./deploy/deploy.ts'),
  import('./deploy-check/deploy-check.ts'),
  import('./deploy/deploy-plan.ts'),
  import('./smoke/run-smoke.ts'),
]);

async function ask(question) {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question(question);
  terminal.close();
  return answer;
}

const ports = {
  build: () => run('npm', ['run', 'build:hosted']) || run('npm', ['run', 'build:functions']),
  check: (isBuilt) => deployCheck(root, process.env, { isBuilt }),
  plan: (target) => deployPlan(root, target),
  ask: process.stdin.isTTY ? ask : null,
  npx: (args) => run('npx', args),
  smoke: (origin) => runSmoke({ root, dist: join(root, 'dist'), origin, isHosted: true }),
  say: (line) => console.log(line),
};
process.exit(await deploy({ root, args: process.argv.slice(2), env: process.env }, ports));
