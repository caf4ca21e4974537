import { join } from 'node:path';
import {
  amount,
  bytesPerMegabyte,
  type Amount,
  type Comparison,
  type Measurement,
} from '../measurement.ts';
import { manyStored } from '../data/journal-sizes.ts';
import { startBackend } from '../run/backend-process.ts';
import { inRounds } from '../run/rounds.ts';
import { say } from '../run/progress.ts';
import { withTempFolder } from '../run/temp-folder.ts';
import { buildApp } from '../sizes/app-build.ts';
import { openFilledApp, type AppOnDevice } from './filled-app.ts';
import { measureHour } from './hour-of-use.ts';
import { measureNotes, measureScrolling } from './journal-use.ts';
import { measureOfflineStart } from './offline-start.ts';
import { buildRecorder } from './recorder-script.ts';
import { measureSearch } from './search-use.ts';
import { fullSpeed, slowedDown } from './visit.ts';

function milliseconds(id: string, name: string, rounds: readonly number[]): Amount {
  return amount({ id, name, unit: 'ms' }, rounds);
}

async function benchStarts(app: AppOnDevice): Promise<Measurement[]> {
  const rounds = await inRounds('app: offline start', async () => ({
    dogs: await measureOfflineStart(app, { path: '/pets', list: 'Dogs', slowdown: slowedDown }),
    journal: await measureOfflineStart(app, {
      path: app.journalPath,
      list: 'Journal',
      slowdown: slowedDown,
    }),
    journalAtFullSpeed: await measureOfflineStart(app, {
      path: app.journalPath,
      list: 'Journal',
      slowdown: fullSpeed,
    }),
  }));
  return [
    milliseconds(
      'offline-dogs',
      'browser just started, offline, until the dogs are shown',
      rounds.map(({ dogs }) => dogs),
    ),
    milliseconds(
      'offline-journal',
      'the same until a journal of 10,000 is shown',
      rounds.map(({ journal }) => journal),
    ),
    milliseconds(
      'offline-journal-full-speed',
      'the same, not slowed down',
      rounds.map(({ journalAtFullSpeed }) => journalAtFullSpeed),
    ),
  ];
}

async function benchNotes(app: AppOnDevice): Promise<Measurement[]> {
  const notes = (await inRounds('app: notes', () => measureNotes(app))).flat();
  return [
    amount(
      { id: 'note-frames', name: 'Enter until the note is shown', unit: 'frames' },
      notes.map(({ frames }) => frames),
    ),
    milliseconds(
      'note-painted',
      'Enter until the note is painted',
      notes.map(({ paintedMs }) => paintedMs),
    ),
    milliseconds(
      'note-stored',
      'Enter until it is said to be on this device',
      notes.map(({ storedMs }) => storedMs),
    ),
  ];
}

async function benchScrolling(app: AppOnDevice): Promise<Measurement> {
  const longest = await inRounds('app: scrolling', () => measureScrolling(app));
  const name = 'longest task while 10,000 entries are scrolled through (0: none above 50)';
  return milliseconds('scrolling', name, longest);
}

async function benchSearch(app: AppOnDevice): Promise<Measurement[]> {
  const rounds = await inRounds('app: search', (round) => measureSearch(app, round));
  return [
    milliseconds(
      'search-indexed',
      'a search opened for the first time until all of 10,000 can be found',
      rounds.map(({ indexedMs }) => indexedMs),
    ),
    milliseconds(
      'search-found',
      'a keystroke in the search until its hits are painted',
      rounds.flatMap(({ foundMs }) => foundMs),
    ),
    milliseconds(
      'search-tasks',
      'longest task while 10,000 entries are indexed and searched (0: none above 50)',
      rounds.map(({ longestMs }) => longestMs),
    ),
  ];
}

async function benchHour(app: AppOnDevice): Promise<Comparison> {
  say('app: an hour of use');
  const { soonBytes, lateBytes } = await measureHour(app);
  return {
    kind: 'comparison',
    id: 'hour',
    name: 'memory after 60 walks through the app',
    unit: 'MB',
    limitName: 'after ten',
    rounds: [{ ours: lateBytes / bytesPerMegabyte, limit: soonBytes / bytesPerMegabyte }],
  };
}

/** Measures the built app on its server, with a journal of 10,000 entries. */
export function benchApp(): Promise<Measurement[]> {
  return withTempFolder(async (folder) => {
    say('app: building');
    const staticDir = join(folder, 'dist');
    await buildApp(staticDir);
    const recorder = await buildRecorder(join(folder, 'recorder'));
    const backend = await startBackend({ dataDir: join(folder, 'data'), staticDir });
    try {
      say('app: a first sync of 10,000');
      const profile = join(folder, 'profile');
      const app = await openFilledApp({ url: backend.url, profile, recorder, count: manyStored });
      return [
        ...(await benchStarts(app)),
        ...(await benchNotes(app)),
        await benchScrolling(app),
        ...(await benchSearch(app)),
        await benchHour(app),
      ];
    } finally {
      await backend.stop();
    }
  });
}
