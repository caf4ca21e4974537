import { createBackend, type BackendOptions } from '../../../src/server.ts';
import { createJsonLog } from '../../../src/log.ts';
import { isJsonObject } from '../../../src/json.ts';
import { evaluateRules } from './evaluate-rules.ts';

/**
 * The backend as a process that reports its state: each stall of its event loop as a line on stdout, its heap at
 * `/fuzz/heap`. It evaluates rules at `/fuzz/rules`, since the backend only loads rules from a file. With `faulty` it has
 * the faults that the supervisor must detect.
 */
const [firestoreRules, storageRules, dataDir = '', mode] = process.argv.slice(2);

const tickMs = 50;
const reportedMs = 250;

/**
 * Reports stalls: times in which the process worked and no timer ran. The smaller of wall time and processor time counts,
 * to exclude the time in which other processes had the processor.
 */
function watchStalls(): void {
  let lastMs = performance.now();
  let lastUsage = process.cpuUsage();
  setInterval(() => {
    const lateMs = performance.now() - lastMs - tickMs;
    const stallMs = Math.min(lateMs, workMs(lastUsage));
    if (stallMs > reportedMs) process.stdout.write(`stall ${Math.round(stallMs)}\n`);
    lastMs = performance.now();
    lastUsage = process.cpuUsage();
  }, tickMs);
}

function usedBytes(): number {
  // Weak references are cleared by the first collection, and what they held is freed by the second.
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const leaked: unknown[] = [];

/** Milliseconds of processor time. */
function workMs(since?: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
}

const workFor = (ms: number): void => {
  const usage = process.cpuUsage();
  while (workMs(usage) < ms);
};

const log = createJsonLog((line) => process.stderr.write(`${line}\n`), Date.now);

const faults: NonNullable<BackendOptions['httpFunctions']> = {
  '/fault/throw': () => {
    throw new Error('planted');
  },
  '/fault/loop': () => {
    workFor(1500);
    return new Response();
  },
  '/fault/leak': () => {
    leaked.push(Array.from({ length: 10_000_000 }, (_, at) => at / 3));
    return new Response();
  },
  '/fault/log': () => {
    log.warn('defect');
    return new Response();
  },
  '/fault/exit': () => process.exit(0),
  '/fault/warn': () => {
    process.emitWarning('planted');
    return new Response();
  },
};

const backend = await createBackend({
  dataDir,
  firestoreRules,
  storageRules,
  passwordCost: 2 ** 4,
  log,
  httpFunctions: {
    '/fuzz/heap': () => Response.json({ bytes: usedBytes() }),
    '/fuzz/rules': async (request) => {
      const asked: unknown = await request.json();
      return Response.json(evaluateRules(isJsonObject(asked) ? asked : {}));
    },
    ...(mode === 'faulty' ? faults : {}),
  },
});
watchStalls();
process.on('SIGTERM', () => {
  void backend.stop().then(() => {
    process.stdout.write('stopped\n');
    process.exit(0);
  });
});
process.stdout.write(`Backend is ready at ${backend.url}\n`);
