import { writeFile } from 'node:fs/promises';
import { parts, type Measurement, type Part } from '../measurement.ts';
import { describeLoad, describeMachine } from './machine.ts';
import { describeMissed } from './missed.ts';
import { toTable } from './table.ts';

export type Results = ReadonlyMap<Part, readonly Measurement[]>;

const file = new URL('../../docs/benchmarks.md', import.meta.url);

const titles: Readonly<Record<Part, string>> = {
  data: 'Data on the device, beside IndexedDB by hand',
  sizes: 'Sizes, gzip',
  backend: 'The embedded backend',
};

const introduction = `Made by \`npm run bench\`; \`npm run bench -- data\` (or \`sizes\`, \`backend\`) runs one part and leaves this page as it is.
Only ratios count: both sides of each run in turns in one run, so that whatever else the machine does hits both alike.
Numbers are medians of at least five rounds. A ratio is the median of the ratios of each round, with the lowest and the
highest beside it. Ratios less than 1.5 times apart are no findings. No test asserts any of this.

"By hand" (raw) is one IndexedDB store with the same documents and the one index that a journal needs. Ours has a
schema, revisions, sync state and four more indexes, tells other tabs, and every write of it reaches the disk (strict
durability). Budgets were set before the code was written.`;

function section(part: Part, measurements: readonly Measurement[]): string {
  return `## ${titles[part]}\n\n${toTable(measurements)}`;
}

async function toDocument(results: Results): Promise<string> {
  const date = new Date().toISOString().slice(0, 10);
  const missed = describeMissed([...results.values()].flat());
  return [
    '# Benchmarks',
    introduction,
    `${date}. ${await describeMachine()}. ${describeLoad()}`,
    ...parts.map((part) => section(part, results.get(part) ?? [])),
    '## Budgets that were missed',
    missed.length === 0 ? 'None.' : missed.join('\n'),
  ].join('\n\n');
}

export async function writeDocument(results: Results): Promise<void> {
  await writeFile(file, `${await toDocument(results)}\n`);
}
