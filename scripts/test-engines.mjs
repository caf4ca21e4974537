import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { buildApp, buildServer } from './bundle/builds.mjs';
import { engineNames, ensureEngines } from './machine/engines.mjs';
import { ensureInstalled, requireNode } from './machine/install.mjs';

requireNode();
ensureInstalled();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { built: { type: 'boolean', default: false }, report: { type: 'string' } },
});
const wanted = positionals.length > 0 ? positionals : engineNames;
const unknown = wanted.filter((name) => !engineNames.includes(name));
if (unknown.length > 0) {
  console.error(`There is no engine ${unknown.join(', ')}; there are ${engineNames.join(', ')}.`);
  process.exit(2);
}
if (!values.built && (buildApp() || buildServer()) !== 0) process.exit(1);

const missing = ensureEngines(wanted);
const { register } = await import('tsx/esm/api');
register();
const { testEngine } = await import('../tests/engines/main.ts');
const say = (line) => console.log(line);

const failedWith = (error) => ({
  passed: 0,
  failed: 1,
  skipped: 0,
  failures: [{ step: 'start', error }],
});

async function outcomeOf(name) {
  const startedMs = performance.now();
  const sentence = missing[name];
  const outcome =
    sentence === undefined
      ? await testEngine(name, say).catch(failedWith)
      : failedWith(new Error(sentence));
  const failures = outcome.failures.map(({ step, error: { message, stack } }) => ({
    step,
    message,
    stack,
  }));
  return { name, ...outcome, failures, seconds: (performance.now() - startedMs) / 1_000 };
}

// Each engine waits more than it computes, so they run concurrently.
const outcomes = await Promise.all(wanted.map(outcomeOf));
for (const { name, passed, failed, skipped, failures } of outcomes) {
  for (const { step, stack } of failures) console.error(`${name}, ${step}: ${stack}`);
  const left = skipped > 0 ? `, ${skipped} not reached` : '';
  console.log(`${name}: ${passed} passed, ${failed} failed${left}`);
}
if (values.report !== undefined) {
  mkdirSync(dirname(values.report), { recursive: true });
  writeFileSync(values.report, JSON.stringify(outcomes));
}
process.exit(outcomes.every(({ failed }) => failed === 0) ? 0 : 1);
