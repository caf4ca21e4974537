import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureInstalled, requireNode, root } from './machine/install.mjs';

requireNode();
const { values, positionals } = parseArgs({
  options: {
    hosted: { type: 'boolean', default: false },
    dist: { type: 'string', default: join(root, 'dist') },
  },
  allowPositionals: true,
});
const [address = ''] = positionals;
if (!URL.canParse(address)) {
  console.error(
    'Usage: npm run smoke -- ADDRESS [--hosted] [--dist FOLDER], with ADDRESS as https://pawpals.example',
  );
  process.exit(2);
}
ensureInstalled();
const { register } = await import('tsx/esm/api');
register();
const { runSmoke } = await import('./smoke/run-smoke.ts');
const { hosted: isHosted, dist } = values;
process.exit(await runSmoke({ root, dist, origin: new URL(address).origin, isHosted }));
