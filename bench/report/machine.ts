import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os';
import { browserVersion } from '../run/browser.ts';

const bytesPerGigabyte = 1e9;

/** Describes the machine that the numbers were measured on. */
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

/** The factor allows for the run itself, which keeps about as many processes busy as there are cores. */
const busyFactor = 1.5;

export function describeLoad(): string {
  const [, , quarterHour = 0] = loadavg();
  const load = `Load over the last 15 minutes: ${quarterHour.toFixed(1)}.`;
  const isBusy = quarterHour > busyFactor * availableParallelism();
  return isBusy ? `${load} Other work kept the machine busy meanwhile: compare ratios only.` : load;
}
