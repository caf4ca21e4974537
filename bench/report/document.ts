import { readFile, writeFile } from 'node:fs/promises';
import { parts, type Measurement, type Part } from '../measurement.ts';
import { describeLoad, describeMachine } from './machine.ts';
import { describeMissed } from './missed.ts';
import { toTable } from './table.ts';

const file = new URL('../../docs/benchmarks.md', import.meta.url);

const titles: Readonly<Record<Part, string>> = {
  data: 'Data on the device, beside IndexedDB by hand',
  rivals: "Beside Firestore's persistent cache and Dexie alone",
  app: 'The whole app in Chromium, the page slowed down four times',
  start: 'The start of the app, beside that of an earlier build',
  lighthouse: 'Lighthouse, a phone',
  sizes: 'Sizes, gzip',
  backend: 'The embedded backend',
  load: 'The embedded backend under load',
};

const introduction = `Made by \`npm run bench\`; \`npm run bench -- data\` (or \`rivals\`, \`app\`, \`start\`, \`lighthouse\`, \`sizes\`, \`backend\`, \`load\`)
measures one part and writes its section anew.
Only ratios count: both sides of each run in turns in one run, so that whatever else the machine does hits both alike.
Numbers are medians of at least seven rounds, those of the backend of five; its load is one run. A ratio is the median of the ratios of each round, with the lowest and the
highest beside it. Ratios less than 1.5 times apart are no findings. Tests assert sizes alone.

"By hand" (raw) is one IndexedDB store with the same documents and the one index that a journal needs. Ours has a
schema, revisions, sync state and one more index, tells other tabs, and every write of it reaches the disk (strict
durability). Budgets were set before the code was written.

Firestore's cache is the SDK's persistent one for several tabs, with a listener that was in sync before; it cannot be told
to wait for the disk. Dexie alone has the rows and the one index, waits for the disk as ours does, and has no sync: what
the others fetch or send, it stores. All three keep the same journals in one browser, and the server is the embedded one,
under rules that allow everything.

The whole app is the built one, offline but for the hour of use, on a page of a phone's size that the browser slows down
four times. Its start is measured without Playwright, which keeps V8 from using compiled code, beside the build of the last commit
before an owner's data lay in one database. Lighthouse slows it down likewise and adds a slow network.

Under load are 200 owners with three devices each, who listen all the time and write a note every 20 seconds, ten commits a second
in all, for ten minutes: first by themselves, then beside an attacker who does all of \`bench/load/attacks.ts\` at once, all the time,
on this machine with a lower priority. Part \`backend\` brings \`load\`; \`PAWPALS_LOAD_SECONDS\` makes it shorter.`;

async function toSection(part: Part, measurements: readonly Measurement[]): Promise<string> {
  const date = new Date().toISOString().slice(0, 10);
  const missed = describeMissed(measurements);
  return [
    `## ${titles[part]}`,
    `${date}. ${await describeMachine()}. ${describeLoad()}`,
    toTable(measurements),
    ...(missed.length === 0 ? [] : [missed.join('\n')]),
  ].join('\n\n');
}

/** Returns the section of a part as an earlier run wrote it. */
function earlierSection(document: string, part: Part): string | undefined {
  return document.split(/\n+(?=## )/).find((each) => each.startsWith(`## ${titles[part]}\n`));
}

/** Writes the section of one part anew, and leaves those of the other parts as they are. */
export async function writeSection(
  part: Part,
  measurements: readonly Measurement[],
): Promise<void> {
  const earlier = await readFile(file, 'utf8');
  const written = await toSection(part, measurements);
  const sections = parts.map((each) => (each === part ? written : earlierSection(earlier, each)));
  const blocks = ['# Benchmarks', introduction, ...sections.filter((each) => each !== undefined)];
  await writeFile(file, `${blocks.map((each) => each.trimEnd()).join('\n\n')}\n`);
}
