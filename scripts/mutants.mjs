import { ensureInstalled, requireNode, root } from './machine/install.mjs';

requireNode();
ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
const { runMutants } = await import('./mutants/run-mutants.ts');
// The copies and their processes go when this process exits.
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
process.exit(await runMutants(root, process.argv.slice(2), (line) => console.log(line)));
