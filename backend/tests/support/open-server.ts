import { createBackend } from '../../src/server.ts';
import { OPEN_RULES } from './rules-fixture.ts';

/** A process to be killed: the backend with rules that stand in nobody's way, and cheap passwords. */
const [dataDir = '', staticDir] = process.argv.slice(2);
const backend = await createBackend({
  dataDir,
  ...(staticDir === undefined ? {} : { staticDir }),
  firestoreRules: OPEN_RULES,
  passwordCost: 2 ** 4,
});
process.stdout.write(`Backend is ready at ${backend.url}\n`);
