import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { buildApp, buildServer } from './builds.mjs';
import { root, run } from './install.mjs';

const reports = join(root, '.cache', 'reports');

/** @typedef {{ name: string, passed: number, failed: number, skipped: number, failures: string[] }} Result */

/** A check that passes or fails as a whole. @returns {() => Result} */
const check = (name, start) => () => {
  console.log(`\n— ${name}`);
  const isGood = start() === 0;
  return { name, passed: isGood ? 1 : 0, failed: isGood ? 0 : 1, skipped: 0, failures: [] };
};

/** A test runner's own numbers. A runner that fails without naming a test has failed once. @returns {Result} */
function tests(name, start, read) {
  console.log(`\n— ${name}`);
  mkdirSync(reports, { recursive: true });
  const file = join(reports, `${name.replaceAll(' ', '-')}.json`);
  rmSync(file, { force: true });
  const code = start(file);
  let counts = { passed: 0, failed: 0, skipped: 0, failures: [] };
  try {
    counts = read(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    counts.failures.push('left no report that can be read');
  }
  const ranNothing = counts.passed + counts.failed === 0;
  if (counts.failed === 0 && (code !== 0 || ranNothing)) counts.failed = 1;
  return { name, ...counts };
}

const saidLength = 400;

/** A failed test in a line: its file, its name, what it said, and where in the code of the project. */
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

const node = process.execPath;
const bin = (name) => join(root, 'node_modules/.bin', name);

/** Every folder with code of ours; tests/architecture checks that the tool has read them all. */
const folders = [
  'schemas',
  'replication',
  'src',
  'sw',
  'functions',
  'backend',
  'scripts',
  'tests',
  'bench',
];

const tool = (name, command, args) => check(name, () => run(command, args));

export const staticChecks = [
  tool('format', bin('prettier'), ['--check', '--log-level', 'warn', '.']),
  tool('lint', bin('oxlint'), ['--type-aware', '--deny-warnings']),
  tool('types', node, ['scripts/types.mjs']),
  tool('boundaries', bin('depcruise'), ['--config', '.dependency-cruiser.cjs', ...folders]),
  tool('unused', bin('knip'), ['--no-progress']),
];

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

export const builds = [
  check('build of the app', buildApp),
  check('build of the server', buildServer),
];

/** The specs of a suite and of those in it that failed, also those that passed when tried again. */
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

/** Runs the steps in order, prints a line for each and the totals last. @returns the exit code. */
export function report(steps) {
  const results = steps.map((step) => step());
  const sum = (field) => results.reduce((total, result) => total + result[field], 0);
  console.log('');
  for (const { name, passed, failed, failures } of results) {
    console.log(`${failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${passed} passed, ${failed} failed`);
    for (const failure of failures) console.log(`     ${failure}`);
  }
  const skipped = sum('skipped') > 0 ? `, ${sum('skipped')} skipped` : '';
  console.log(`${sum('passed')} passed, ${sum('failed')} failed${skipped}`);
  return sum('failed') === 0 ? 0 : 1;
}
