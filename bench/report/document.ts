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

const introduction = `Made by \`npm run bench\`; parts of it by \`npm run bench -- data\`, \`-- sizes\` and \`-- backend\`, which leave
this page as it is. Only ratios count: both sides of each run in turns in one run, so that whatever else the machine
does hits both alike. Numbers are medians; of ratios the lowest and the highest round are given as well. Differences
below 1.5 times are no findings. Nothing of this is asserted by a test.

"By hand" is one IndexedDB store with the same documents and the one index that a journal needs. Ours has a schema,
revisions, sync state, two more indexes and changes told to other tabs, and every write reaches the disk (strict
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
