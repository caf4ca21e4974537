import { readdir, stat } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** Numbers about the process, none about individual users. A name has a dot before a variable part. */
export type Counters = Readonly<Record<string, number>>;

export interface ProcessCounters {
  /** Wraps a listener to count its answers by status. */
  counting(listener: RequestListener): RequestListener;
  /** Reads the counters. The delay of the event loop is measured since the previous call. */
  read(): Promise<Counters>;
  stop(): void;
}

const nsPerMs = 1e6;

/** @param dataDir the folder whose sizes are counted. */
export function createProcessCounters(dataDir: string, freeBytes: () => number): ProcessCounters {
  const startedMs = performance.now();
  const loop = monitorEventLoopDelay();
  loop.enable();
  const answers = new Map<string, number>();
  return {
    counting: (listener) => (request, response) => {
      response.once('finish', () => {
        const name = `answers.${response.statusCode}`;
        answers.set(name, (answers.get(name) ?? 0) + 1);
      });
      listener(request, response);
    },
    async read() {
      const delayMs = Math.round(loop.percentile(99) / nsPerMs);
      loop.reset();
      const { rss, heapUsed } = process.memoryUsage();
      return {
        uptimeSeconds: Math.round((performance.now() - startedMs) / 1000),
        residentBytes: rss,
        heapBytes: heapUsed,
        eventLoopDelayP99Ms: delayMs,
        databaseBytes: await sizeOf(join(dataDir, 'db')),
        freeDiskBytes: freeBytes(),
        ...Object.fromEntries(answers),
      };
    },
    stop: () => loop.disable(),
  };
}

/** Returns the size of the files in a folder. A file that is removed meanwhile counts as empty. */
async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder).catch(() => []);
  const sizes = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
