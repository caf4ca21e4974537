import { ensureInstalled, requireNode } from './install.mjs';
import { report, staticChecks, unitTests } from './steps.mjs';

requireNode();
ensureInstalled();
process.exit(report([...staticChecks, () => unitTests()]));
