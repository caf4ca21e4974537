import { stat } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** Numbers about the process, none about individual users. A name has a dot before a variable part. */
export type Counters = Readonly<Record<string, number>>;

const nsPerMs = 1e6;

/** @param dataDir the folder whose database is counted. */
export function createProcessCounters(dataDir: string, freeBytes: () => number) {
  const startedMs = performance.now();
  const loop = monitorEventLoopDelay();
  loop.enable();
  const answers = new Map<string, number>();
  return {
    /** Wraps a listener to count its answers by status. */
    counting:
      (listener: RequestListener): RequestListener =>
      (request, response) => {
        response.once('finish', () => {
          const name = `answers.${response.statusCode}`;
          answers.set(name, (answers.get(name) ?? 0) + 1);
        });
        listener(request, response);
      },
    /** Reads the counters. The delay of the event loop is measured since the previous call. */
    async read(): Promise<Counters> {
      const delayMs = Math.round(loop.percentile(99) / nsPerMs);
      loop.reset();
      const { rss, heapUsed } = process.memoryUsage();
      return {
        uptimeSeconds: Math.round((performance.now() - startedMs) / 1000),
        residentBytes: rss,
        heapBytes: heapUsed,
        eventLoopDelayP99Ms: delayMs,
        databaseBytes: (await stat(join(dataDir, 'db', 'data.mdb'))).size,
        freeDiskBytes: freeBytes(),
        ...Object.fromEntries(answers),
      };
    },
    stop: () => loop.disable(),
  };
}
