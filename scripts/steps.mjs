import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { appBuild, serverBuild } from './bundle/builds.mjs';
import { root, run } from './machine/install.mjs';
import { runSideBySide } from './machine/side-by-side.mjs';

const reports = join(root, '.cache', 'reports');

/** @typedef {{ name: string, passed: number, failed: number, skipped: number, failures: string[], seconds: number }} Result */

/** Checks that each pass or fail as a whole and do not depend on each other. @returns {() => Result[]} */
const checks = (commands) => () =>
  runSideBySide(commands).map(({ name, code, seconds }) => ({
    name,
    passed: code === 0 ? 1 : 0,
    failed: code === 0 ? 0 : 1,
    skipped: 0,
    failures: [],
    seconds,
  }));

/**
 * Returns a test runner's own numbers. A runner that fails without naming a test counts as one failure. @returns
 * {Result}
 */
function tests(name, start, read) {
  console.log(`\n— ${name}`);
  mkdirSync(reports, { recursive: true });
  const file = join(reports, `${name.replaceAll(' ', '-')}.json`);
  rmSync(file, { force: true });
  const startedMs = performance.now();
  const code = start(file);
  const seconds = (performance.now() - startedMs) / 1000;
  let counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  try {
    counts = read(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    counts.failures.push('left no report that can be read');
  }
  const ranNothing = counts.passed + counts.failed === 0;
  if (counts.failed === 0 && (code !== 0 || ranNothing)) counts.failed = 1;
  return { name, seconds, ...counts };
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
  tool('format', bin('prettier'), [
    '--check',
    '--cache',
    '--cache-location',
    '.cache/prettier',
    '--log-level',
    'warn',
    '.',
  ]),
  tool('unused', bin('knip'), ['--no-progress']),
];

export const staticChecks = [checks(staticTools)];

export const staticChecksAndBuilds = [checks([...staticTools, appBuild, serverBuild])];

export const unitTests = (...args) =>
  tests(
    'unit',
    (file) =>
      run(bin('vitest'), [
        'run',
        '--reporter=dot',
        '--reporter=json',
        `--outputFile.json=${file}`,
        ...args,
      ]),
    (json) => ({
      passed: json.numPassedTests,
      failed:
        json.numFailedTests +
        json.testResults.filter(
          (file) => file.status === 'failed' && file.assertionResults.length === 0,
        ).length,
      skipped: json.numPendingTests + json.numTodoTests,
      failures: json.testResults.flatMap((file) => [
        ...(file.message ? [failureLine(file.name, 'the file', file)] : []),
        ...file.assertionResults
          .filter((test) => test.status === 'failed')
          .map((test) =>
            failureLine(file.name, test.fullName, { message: test.failureMessages[0] }),
          ),
      ]),
    }),
  );

/** Returns the failed specs of a suite and its sub-suites, including those that passed on a retry. */
const failedSpecs = (suite) => [
  ...(suite.suites ?? []).flatMap(failedSpecs),
  ...suite.specs.flatMap((spec) =>
    spec.tests
      .flatMap((test) => test.results)
      .flatMap((result) => result.errors)
      .map((error) => failureLine(error.location?.file ?? spec.file, spec.title, error)),
  ),
];

export const browserTests = (browser) =>
  tests(
    'browser',
    (file) =>
      run(bin('playwright'), ['test', '--config', 'tests/e2e/playwright.config.ts'], {
        PAWPALS_BROWSER: browser,
        PLAYWRIGHT_JSON_OUTPUT_NAME: file,
      }),
    (json) => ({
      passed: json.stats.expected,
      failed: json.stats.unexpected + json.stats.flaky,
      skipped: json.stats.skipped,
      failures: [
        ...json.errors.map((error) => failureLine(error.location?.file ?? root, 'the run', error)),
        ...json.suites.flatMap(failedSpecs),
      ],
    }),
  );

/** Runs the walk in each of the other engines. */
export const engineTests = () => {
  console.log('\n— other engines');
  mkdirSync(reports, { recursive: true });
  const file = join(reports, 'engines.json');
  rmSync(file, { force: true });
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
