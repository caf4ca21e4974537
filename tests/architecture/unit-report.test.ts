import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { inSeededTree } from './seeded-tree.ts';

const reporter = fileURLToPath(new URL('../../scripts/machine/unit-report.mjs', import.meta.url));

/** Tests of which one ends the process, as a crash of native code does. */
const crashing = `
import { expect, it } from 'vitest';
it('passes', () => expect(1).toBe(1));
it('fails', () => expect(1).toBe(2));
it('crashes', () => process.kill(process.pid, 'SIGSEGV') && new Promise(() => undefined));
it('comes later', () => expect(1).toBe(1));
`;

/** Tests whose hooks fail: none of the tests does. */
const withHooks = `
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
describe('early', () => {
  beforeAll(() => { throw new Error('no start'); });
  it('is not run', () => expect(1).toBe(1));
});
describe('late', () => {
  afterAll(() => { throw new Error('no end'); });
  it('passes', () => expect(1).toBe(1));
});
`;

/** Runs a test file that fails. @returns the report, as text. */
const reportOf = (tests: string): Promise<string> =>
  inSeededTree({ 'seeded.test.ts': tests }, async (folder) => {
    const file = join(folder, 'report.json');
    const env = { ...process.env, PAWPALS_UNIT_REPORT: file };
    const vitest = join(folder, 'node_modules/vitest/vitest.mjs');
    const args = [vitest, 'run', '--root', folder, `--reporter=${reporter}`];
    await expect(promisify(execFile)(process.execPath, args, { env })).rejects.toThrow('failed');
    return readFile(file, 'utf8');
  });

it('a report of unit tests names what a worker that ended has left', async () => {
  const said = await reportOf(crashing);
  // Its cause is either the end of the worker or a message to it that could not be written any more.
  expect(said).toContain('Worker forks emitted error');
  expect(said).toContain('"title":"the file","message":"did not end"');
  expect(said).toContain('"title":"comes later","message":"did not end"');
});

it('a report of unit tests names the hooks that failed', async () => {
  const { failures, ...counts }: Record<string, unknown> = JSON.parse(await reportOf(withHooks));
  expect(failures).toMatchObject([
    { title: 'early', message: 'no start' },
    { title: 'late', message: 'no end' },
  ]);
  expect(counts).toEqual({ passed: 1, failed: 2, skipped: 1 });
});
