import { benchBackend } from './backend/backend-part.ts';
import { benchData } from './data/data-part.ts';
import { parts, type Measurement, type Part } from './measurement.ts';
import { writeDocument } from './report/document.ts';
import { describeMissed } from './report/missed.ts';
import { toTable } from './report/table.ts';
import { say } from './run/progress.ts';
import { benchSizes } from './sizes/sizes-part.ts';

const benches: Readonly<Record<Part, () => Promise<Measurement[]>>> = {
  data: benchData,
  sizes: benchSizes,
  backend: benchBackend,
};

function toParts(args: readonly string[]): readonly Part[] {
  const wanted = parts.filter((part) => args.includes(part));
  if (wanted.length !== args.length) throw new Error(`There are only ${parts.join(', ')}`);
  return wanted.length === 0 ? parts : wanted;
}

/** Runs all parts, or those that are named, and prints one table. Only a whole run is written to docs/benchmarks.md. */
export async function bench(args: readonly string[]): Promise<void> {
  const wanted = toParts(args);
  const results = new Map<Part, readonly Measurement[]>();
  for (const part of wanted) results.set(part, await benches[part]());
  const measurements = [...results.values()].flat();
  say(toTable(measurements));
  for (const line of describeMissed(measurements)) say(line);
  if (wanted.length === parts.length) await writeDocument(results);
}
