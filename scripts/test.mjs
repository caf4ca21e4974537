import { ensureBrowser } from './browser.mjs';
import { ensureInstalled, requireNode } from './install.mjs';
import { browserTests, build, report, staticChecks, unitTests } from './steps.mjs';

requireNode();
ensureInstalled();
const browser = ensureBrowser();
process.env.PAWPALS_BROWSER = browser;
process.exit(report([...staticChecks, build, () => unitTests(), () => browserTests(browser)]));
