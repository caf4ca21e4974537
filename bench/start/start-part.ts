import { mkdir, readFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { openFilledApp, type AppOnDevice } from '../app/filled-app.ts';
import type { ListName } from '../app/recorder.ts';
import { buildRecorder } from '../app/recorder-script.ts';
import { slowedDown } from '../app/visit.ts';
import { manyStored } from '../data/journal-sizes.ts';
import type { Comparison, Measurement } from '../measurement.ts';
import { startBackend } from '../run/backend-process.ts';
import { say } from '../run/progress.ts';
import { inRounds } from '../run/rounds.ts';
import { withTempFolder } from '../run/temp-folder.ts';
import { buildApp } from '../sizes/app-build.ts';
import { buildEarlierApp, earlierCommit } from './earlier-app.ts';
import { visitRaw } from './raw-browser.ts';

interface Folders {
  readonly folder: string;
  readonly staticDir: string;
  readonly recorder: string;
}

/** Fills a device with a journal of 10,000, and stops its server. */
async function fill({ folder, staticDir, recorder }: Folders): Promise<AppOnDevice> {
  await mkdir(folder, { recursive: true });
  const backend = await startBackend({ dataDir: join(folder, 'data'), staticDir });
  try {
    const profile = join(folder, 'profile');
    return await openFilledApp({ url: backend.url, profile, recorder, count: manyStored });
  } finally {
    await backend.stop();
  }
}

/** Returns milliseconds from the visit until the first item of the list was painted. */
async function measureStart(app: AppOnDevice, list: ListName): Promise<number> {
  const { profile, url, recorder, journalPath } = app;
  const path = list === 'Dogs' ? '/pets' : journalPath;
  const found = await visitRaw({
    profile,
    url: new URL(path, url).href,
    recorder: await readFile(recorder, 'utf8'),
    slowdown: slowedDown,
    until: `recorder.firstItemAt(${JSON.stringify(list)})`,
  });
  if (typeof found !== 'number') throw new Error(`Nothing was painted at ${path}`);
  return found;
}

const lists = ['Dogs', 'Journal'] as const;

async function compare(list: ListName, ours: AppOnDevice, before: AppOnDevice) {
  const measure = { ours, limit: before };
  const rounds = await inRounds(`start: ${list}`, async (index) => {
    const order = index % 2 === 0 ? (['ours', 'limit'] as const) : (['limit', 'ours'] as const);
    const found = { ours: 0, limit: 0 };
    for (const side of order) found[side] = await measureStart(measure[side], list);
    return found;
  });
  const comparison: Comparison = {
    kind: 'comparison',
    id: `start-${list.toLowerCase()}`,
    name: `browser just started, without a server, until the ${list.toLowerCase()} is painted`,
    unit: 'ms',
    limitName: `build of ${earlierCommit}`,
    rounds,
  };
  return comparison;
}

/**
 * Compares the cold start of the app with that of an earlier commit, on a page slowed down four times, by CDP alone.
 */
export function benchStart(): Promise<Measurement[]> {
  return withTempFolder(async (folder) => {
    say('start: building');
    const earlier = await buildEarlierApp(join(folder, 'before'));
    if (earlier === null) return [];
    const staticDir = join(folder, 'dist');
    await buildApp(staticDir);
    const recorder = await buildRecorder(join(folder, 'recorder'));
    say('start: two first syncs of 10,000');
    const ours = await fill({ folder: join(folder, 'ours'), staticDir, recorder });
    const before = await fill({ folder: join(folder, 'theirs'), staticDir: earlier, recorder });
    // The browser caches compiled code after some starts.
    for (let warm = 0; warm < 2; warm += 1) {
      for (const list of lists) for (const app of [ours, before]) await measureStart(app, list);
    }
    say(
      `start: load ${loadavg()
        .map((load) => load.toFixed(2))
        .join(' ')}`,
    );
    return [await compare('Dogs', ours, before), await compare('Journal', ours, before)];
  });
}
