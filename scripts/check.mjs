import { ensureInstalled, requireNode } from './machine/install.mjs';
import { report, staticChecksAndUnitTests } from './steps.mjs';

requireNode();
ensureInstalled();
/** All but the tests that start servers, browsers and tools. */
const quick = ['alone', 'core', 'backend', 'app'].flatMap((project) => ['--project', project]);

process.exit(report([staticChecksAndUnitTests(...quick)]));
