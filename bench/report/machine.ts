import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { browserVersion } from '../run/browser.ts';

const bytesPerGigabyte = 1e9;

/** What the numbers were measured on. */
export async function describeMachine(): Promise<string> {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const memory = `${(totalmem() / bytesPerGigabyte).toFixed(0)} GB`;
  const facts = [
    `${availableParallelism()} cores (${model})`,
    `${memory} of memory`,
    `${type()} ${release()}`,
    `Node ${process.versions.node}`,
    `Chromium ${await browserVersion()}`,
  ];
  return facts.join(', ');
}

/** Processes that wanted to run at once, over the last minute and the last quarter of an hour. */
export function describeLoad(): string {
  const [minute = 0, , quarter = 0] = loadavg();
  return `${minute.toFixed(1)} over the last minute, ${quarter.toFixed(1)} over the last 15`;
}
