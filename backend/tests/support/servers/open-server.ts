import { createBackend } from '../../../src/server.ts';

/** A process to be killed: the backend with the given rules and cheap passwords. */
const [firestoreRules = '', dataDir = '', staticDir] = process.argv.slice(2);
const backend = await createBackend({
  dataDir,
  ...(staticDir === undefined ? {} : { staticDir }),
  firestoreRules,
  passwordCost: 2 ** 4,
});
process.stdout.write(`Backend is ready at ${backend.url}\n`);
