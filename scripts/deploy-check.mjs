import { ensureInstalled, requireNode, root } from './machine/install.mjs';

requireNode();
ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
const { deployCheck } = await import('./deploy-check/deploy-check.ts');
const problems = await deployCheck(root, process.env);
for (const problem of problems) console.error(problem);
console.log(
  problems.length === 0
    ? 'Ready to deploy, as far as this machine can tell. docs/deploy.md lists what only the console shows.'
    : `Not ready: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}.`,
);
process.exit(problems.length === 0 ? 0 : 1);
