import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { appBuild, serverBuild } from './bundle/builds.mjs';
import { root, run } from './machine/install.mjs';
import { runSideBySide } from './machine/side-by-side.mjs';

const reports = join(root, '.cache', 'reports');

/** @typedef {{ name: string, passed: number, failed: number, skipped: number, failures: string[], seconds: number }} Result */

/**
 * Returns a test runner's own numbers. A runner that fails without naming a test counts as one failure.
 * @returns {Omit<Result, 'name' | 'seconds'>}
 */
function readCounts({ file, read }, code) {
  let counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  try {
    counts = read(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    counts.failures.push('left no report that can be read');
  }
  const ranNothing = counts.passed + counts.failed === 0;
  if (counts.failed === 0 && (code !== 0 || ranNothing)) counts.failed = 1;
  return counts;
}

/** A check passes or fails as a whole. @returns {Omit<Result, 'name' | 'seconds'>} */
const oneCount = (code) => ({
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? 0 : 1,
  skipped: 0,
  failures: [],
});

/** Returns an empty place for a test runner's report. */
function newReport(name) {
  mkdirSync(reports, { recursive: true });
  const file = join(reports, `${name}.json`);
  rmSync(file, { force: true });
  return file;
}

/** Runs commands that do not depend on each other; those with `counted` leave a report. @returns {() => Result[]} */
const sideBySide = (commands) => () =>
  runSideBySide(commands).map(({ name, code, seconds }, at) => {
    const { counted } = commands[at];
    return { name, seconds, ...(counted ? readCounts(counted, code) : oneCount(code)) };
  });

/** Runs a test runner and shows its output. @returns {Result} */
function tests({ name, command, args, env, counted }) {
  console.log(`\n— ${name}`);
  const startedMs = performance.now();
  const code = run(command, args, env);
  const seconds = (performance.now() - startedMs) / 1000;
  return { name, seconds, ...readCounts(counted, code) };
}

const saidLength = 400;

/** Returns a line for a failed test: its file, its name, its message, and its place in the project's code. */
function failureLine(file, title, { message = '', stack = message }) {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('at '));
  const places = stripVTControlCharacters(stack)
    .split('\n')
    .filter((line) => /^\s+at /.test(line) && line.includes(root) && !line.includes('node_modules'))
    .map((line) => line.slice(line.indexOf(root) + root.length).replace(/^\/|\)$/g, ''));
  const said = lines.join(' | ').slice(0, saidLength);
  return [`${relative(root, file)} › ${title}: ${said}`, ...places].join(' < ');
}

const bin = (name) => join(root, 'node_modules/.bin', name);

/** Every folder with code of this project; tests/architecture checks that the tool has read them all. */
const folders = [
  'schemas',
  'replication',
  'store',
  'src',
  'sw',
  'functions',
  'backend',
  'scripts',
  'tests',
  'bench',
];

const tool = (name, command, args) => ({ name, command, args });

/** The slowest tools come first. */
const staticTools = [
  tool('lint and types', bin('oxlint'), ['--type-aware', '--type-check', '--deny-warnings']),
  tool('boundaries', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', ...folders]),
  tool('unused', bin('knip'), ['--no-progress']),
  tool('format', bin('oxfmt'), ['--check']),
];

const readUnitReport = ({ failures, ...counts }) => ({
  ...counts,
  failures: failures.map(({ file, title, ...failure }) => failureLine(file, title, failure)),
});

function unitTool(...args) {
  const file = newReport('unit');
  const reporters = [
    '--reporter=dot',
    `--reporter=${join(root, 'scripts/machine/unit-report.mjs')}`,
  ];
  return {
    ...tool('unit', bin('vitest'), ['run', ...reporters, ...args]),
    env: { PAWPALS_UNIT_REPORT: file },
    counted: { file, read: readUnitReport },
  };
}

/** The tests wait more often than the tools, so they start first and the tools fill their pauses. */
export const staticChecksAndUnitTests = (...args) =>
  sideBySide([unitTool(...args), ...staticTools]);

export const staticChecksAndBuilds = sideBySide([...staticTools, appBuild, serverBuild]);

export const unitTests = () => tests(unitTool());

/** Returns a line with the named elements of the page at the failure, from the snapshot that Playwright takes of it. */
function shownLines({ attachments }) {
  const path = attachments.find(({ name }) => name === 'error-context')?.path;
  const snapshot = path && /^```yaml\n(.*?)^```/ms.exec(readFileSync(path, 'utf8'))?.[1];
  if (!snapshot) return [];
  const elements = snapshot
    .split('\n')
    .map((line) => line.replaceAll(/ \[(?:ref|cursor)=\w+\]/g, '').replace(/^\s*- /, ''))
    .filter((line) => /[": ]./.test(line) && !line.startsWith('/url'));
  return [`The page showed: ${elements.join(' | ').slice(0, 2 * saidLength)}`];
}

/** Returns the failed specs of a suite and its sub-suites, including those that passed on a retry. */
const failedSpecs = (suite) => [
  ...(suite.suites ?? []).flatMap(failedSpecs),
  ...suite.specs.flatMap((spec) =>
    spec.tests
      .flatMap((test) => test.results)
      .filter((result) => result.errors.length > 0)
      .flatMap((result) => [
        ...result.errors.map((error) =>
          failureLine(error.location?.file ?? spec.file, spec.title, error),
        ),
        ...shownLines(result),
      ]),
  ),
];

export function browserTests(browser) {
  const file = newReport('browser');
  return tests({
    ...tool('browser', bin('playwright'), ['test', '--config', 'tests/e2e/playwright.config.ts']),
    env: { PAWPALS_BROWSER: browser, PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    counted: {
      file,
      read: (json) => ({
        passed: json.stats.expected,
        failed: json.stats.unexpected + json.stats.flaky,
        skipped: json.stats.skipped,
        failures: [
          ...json.errors.map((error) =>
            failureLine(error.location?.file ?? root, 'the run', error),
          ),
          ...json.suites.flatMap(failedSpecs),
        ],
      }),
    },
  });
}

/** Runs the walk in each of the other engines. */
export const engineTests = () => {
  console.log('\n— other engines');
  const file = newReport('engines');
  const startedMs = performance.now();
  run(process.execPath, ['scripts/test-engines.mjs', '--built', '--report', file]);
  const seconds = (performance.now() - startedMs) / 1000;
  try {
    const outcomes = JSON.parse(readFileSync(file, 'utf8'));
    return outcomes.map(({ failures, ...counts }) => ({
      ...counts,
      failures: failures.map(({ step, message, stack }) =>
        failureLine(join(root, 'tests/engines'), step, { message, stack }),
      ),
    }));
  } catch {
    const failures = ['left no report that can be read'];
    return { name: 'other engines', passed: 0, failed: 1, skipped: 0, failures, seconds };
  }
};

/**
 * Runs the steps in order, prints a line for each check and the totals last.
 * @param {(() => Result | Result[])[]} steps
 * @returns the exit code.
 */
export function report(steps) {
  const startedMs = performance.now();
  const results = steps.flatMap((step) => step());
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  console.log('');
  for (const { name, passed, failed, failures, seconds } of results) {
    const verdict = failed === 0 ? 'ok  ' : 'FAIL';
    console.log(`${verdict} ${name}: ${passed} passed, ${failed} failed, ${seconds.toFixed(1)} s`);
    for (const failure of failures) console.log(`     ${failure}`);
  }
  console.log(`All of it took ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`);
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
  return sum('failed') === 0 ? 0 : 1;
}
