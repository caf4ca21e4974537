import { browserVersion, ensureBrowser } from './machine/browser.mjs';
import { ensureInstalled, requireNode } from './machine/install.mjs';
import { ensureSpeechTools } from './machine/speech-tools.mjs';
import { browserTests, engineTests, report, staticChecksAndBuilds, unitTests } from './steps.mjs';

requireNode();
ensureInstalled();
// Tests hold in any zone. Half of each day, it is another date in this one than in UTC.
process.env.TZ = 'Pacific/Auckland';
const browser = ensureBrowser();
process.env.PAWPALS_BROWSER = browser;
console.log(`The browser is ${browser}, ${browserVersion(browser)}.`);
// The tests that need a missing tool fail with a message; all others run.
const problem = ensureSpeechTools();
if (problem !== null) console.error(problem);
process.exit(report([staticChecksAndBuilds, unitTests, () => browserTests(browser), engineTests]));
