import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';
import { deployedFlags } from '../support/built-app/deployed-files.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const coverageSchema = v.object({ result: v.array(v.object({ url: v.string() })) });

/**
 * Runs a command until it says that it is ready. @returns the URLs of all code that it loaded, from Node's coverage.
 */
async function loadedBy(command: (dataDir: string) => readonly string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const coverage = join(folder, 'coverage');
  const dataDir = join(folder, 'data');
  const own = { PORT: '0', PAWPALS_DATA: dataDir, NODE_V8_COVERAGE: coverage };
  const child = spawn(process.execPath, command(dataDir), {
    cwd: root,
    env: { ...process.env, ...own },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.includes('is ready at')) child.kill('SIGTERM');
  }
  expect(await exit).toEqual([0, null]);
  const reports = await Promise.all(
    (await readdir(coverage)).map((name) => readFile(join(coverage, name), 'utf8')),
  );
  return reports
    .flatMap((text) => v.parse(coverageSchema, JSON.parse(text)).result)
    .map(({ url }) => url);
}

const backend = '.cache/server/backend.js';

describe('a built server', () => {
  it.each([
    ['npm start', 'serve.js', () => ['scripts/serve/serve-built.mjs']],
    [
      'npm run backend',
      'backend.js',
      (data: string) => [backend, '--data', data, ...deployedFlags],
    ],
  ])('of %s loads no TypeScript and no tool that reads it', async (_name, built, command) => {
    const loaded = await loadedBy(command);
    expect(loaded.some((url) => url.endsWith(`/.cache/server/${built}`))).toBe(true);
    expect(loaded.some((url) => url.includes('/node_modules/jose/'))).toBe(true);
    const wrong = /\.[cm]?tsx?(?:\?|$)|\/node_modules\/(?:tsx|typescript|esbuild|vite)\//;
    expect(loaded.filter((url) => wrong.test(url))).toEqual([]);
  });
});
