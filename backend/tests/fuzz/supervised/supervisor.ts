import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { inject, onTestFinished } from 'vitest';
import { isJsonObject, parseJson } from '../../../src/json.ts';
import { createBell } from '../../support/bell.ts';
import { createWire } from '../../support/clients/wire.ts';
import { openFilesRules, openRules } from '../../support/rules-fixture.ts';

/**
 * A supervised server in its own process. It has failed when
 *
 * - it exits before it is stopped, or does not stop at once;
 * - it logs an error or a line with "failed", "defect" or "broken", or prints other lines, such as Node's warnings;
 * - its event loop stalls for more than a second;
 * - its heap after a collection is more than `maxGrowthMb` larger at the end than after a third of the run.
 */
export interface Supervised {
  readonly port: number;
  /** Returns the failures so far. */
  failures(): readonly string[];
  /** Resolves at the first failure. */
  readonly failed: Promise<void>;
  /** Measures the heap for the comparison at the end. */
  measureHeap(): Promise<void>;
  /** Returns the longest stall in milliseconds. */
  longestStallMs(): number;
  /** Returns the measured sizes of the heap, in megabytes. */
  heaps(): string;
  /** Compares the heap and stops the server. */
  finish(): Promise<void>;
}

const maxStallMs = 1000;
/** The allowed growth: the change log keeps 16 MiB of former documents, and open sessions have unfetched answers. */
const maxGrowthMb = 48;
const megabyte = 1e6;
const stopMs = 10_000;

export async function startSupervised(dataDir: string, mode = 'sound'): Promise<Supervised> {
  const script = inject('builtFiles').fuzz;
  const args = ['--expose-gc', script, openRules, openFilesRules, dataDir, mode];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });

  const failures: string[] = [];
  const bell = createBell();
  const fail = (what: string): void => {
    failures.push(what);
    bell.ring();
  };

  let hasStopped = false;
  let longestStallMs = 0;
  child.once('close', (code, signal) => {
    if (!hasStopped) fail(`The server ended: ${code ?? String(signal)}.`);
  });
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (isBadLine(line)) fail(`The server said: ${line}`);
  });
  const port = await new Promise<number>((resolve, reject) => {
    child.once('close', () => reject(new Error(`It did not start: ${failures.join(' ')}`)));
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, ready] = /^Backend is ready at http:\/\/localhost:(\d+)$/.exec(line) ?? [];
      hasStopped ||= line === 'stopped';
      if (ready !== undefined) resolve(Number(ready));
      const stallMs = Number(/^stall (\d+)$/.exec(line)?.[1] ?? 0);
      longestStallMs = Math.max(longestStallMs, stallMs);
      if (stallMs > maxStallMs) fail(`The event loop stood still for ${stallMs} ms.`);
    });
  });

  const wire = createWire(port);
  onTestFinished(() => wire.close());
  const heapMb = async (): Promise<number> => {
    const { bytes } = await wire.ask({ method: 'GET', path: '/fuzz/heap' });
    const json = parseJson(bytes.toString());
    const used = json.ok && isJsonObject(json.value) ? json.value['bytes'] : undefined;
    if (typeof used === 'number') return used / megabyte;
    fail('The server does not tell its heap.');
    return 0;
  };

  const heaps: number[] = [];
  return {
    port,
    failed: bell.until(() => failures.length > 0),
    failures: () => failures,
    longestStallMs: () => longestStallMs,
    heaps: () => heaps.map((each) => `${each.toFixed(1)} MB`).join(', '),
    async measureHeap() {
      heaps.push(await heapMb());
    },
    async finish() {
      const after = await heapMb();
      const growth = after - (heaps[0] ?? after);
      heaps.push(after);
      if (growth > maxGrowthMb) fail(`The heap grew by ${growth.toFixed(1)} MB.`);
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await exit;
      clearTimeout(late);
    },
  };
}

function isBadLine(line: string): boolean {
  const json = parseJson(line);
  if (!json.ok || !isJsonObject(json.value)) return true;
  const { level, event } = json.value;
  return level === 'error' || /failed|defect|broken/.test(String(event));
}
