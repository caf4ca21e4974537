import { openPolicy } from '../conformance/open-policy.ts';
import { createBackend } from '../../src/server.ts';

/** A process to be killed: the backend with a policy that stands in nobody's way. */
const [dataDir = '', port = '0'] = process.argv.slice(2);
const backend = await createBackend({
  dataDir,
  port: Number(port),
  policy: openPolicy,
  passwordCost: 2 ** 4,
});
process.stdout.write(`Backend is ready at ${backend.url}\n`);
