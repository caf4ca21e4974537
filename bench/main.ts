import { benchApp } from './app/app-part.ts';
import { benchBackend } from './backend/backend-part.ts';
import { benchData } from './data/data-part.ts';
import { benchLighthouse } from './lighthouse/lighthouse-part.ts';
import { benchLoad } from './load/load-part.ts';
import { parts, type Measurement, type Part } from './measurement.ts';
import { writeSection } from './report/document.ts';
import { benchRivals } from './rivals/rivals-part.ts';
import { describeMissed, namesOfFailed } from './report/missed.ts';
import { toTable } from './report/table.ts';
import { say } from './run/progress.ts';
import { benchSizes } from './sizes/sizes-part.ts';
import { benchStart } from './start/start-part.ts';

const benches: Readonly<Record<Part, () => Promise<Measurement[]>>> = {
  data: benchData,
  rivals: benchRivals,
  app: benchApp,
  start: benchStart,
  lighthouse: benchLighthouse,
  sizes: benchSizes,
  backend: benchBackend,
  load: benchLoad,
};

/** Returns the parts to run. The load belongs to the backend, and runs alone if it is named. */
function toParts(args: readonly string[]): readonly Part[] {
  const named = args.includes('backend') ? [...args, 'load'] : args;
  const wanted = parts.filter((part) => named.includes(part));
  if (!named.every((each) => parts.some((part) => part === each)))
    throw new Error(`There are only ${parts.join(', ')}`);
  return wanted.length === 0 ? parts : wanted;
}

/**
 * Runs all parts, or the named ones, prints a table of each and writes it to docs/benchmarks.md.
 * @throws if a value is below the limit at which a run fails.
 */
export async function bench(args: readonly string[]): Promise<void> {
  const wanted = toParts(args);
  const measurements: Measurement[] = [];
  for (const part of wanted) {
    const measured = await benches[part]();
    measurements.push(...measured);
    say(toTable(measured));
    await writeSection(part, measured);
  }
  for (const line of describeMissed(measurements)) say(line);
  const failed = namesOfFailed(measurements);
  if (failed.length > 0) throw new Error(`Far below the budget: ${failed.join('; ')}`);
}
