import { ensureBrowser } from './browser.mjs';
import { ensureInstalled, requireNode } from './install.mjs';
import { browserTests, builds, report, staticChecks, unitTests } from './steps.mjs';

requireNode();
ensureInstalled();
const browser = ensureBrowser();
process.env.PAWPALS_BROWSER = browser;
process.exit(report([...staticChecks, ...builds, () => unitTests(), () => browserTests(browser)]));
