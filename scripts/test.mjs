import { ensureBrowser } from './browser.mjs';
import { ensureInstalled, requireNode } from './install.mjs';
import { ensureSpeechTools } from './speech-tools.mjs';
import { browserTests, builds, report, staticChecks, unitTests } from './steps.mjs';

requireNode();
ensureInstalled();
const browser = ensureBrowser();
process.env.PAWPALS_BROWSER = browser;
// The tests that need what is missing fail and say so; all the others run.
const problem = ensureSpeechTools();
if (problem !== null) console.error(problem);
process.exit(report([...staticChecks, ...builds, () => unitTests(), () => browserTests(browser)]));
