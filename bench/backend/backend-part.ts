import { join } from 'node:path';
import { amount, type Measurement } from '../measurement.ts';
import { startBackend } from '../run/backend-process.ts';
import { openProfile, withPage } from '../run/browser.ts';
import { servePage } from '../run/page-server.ts';
import { say } from '../run/progress.ts';
import { withTempFolder } from '../run/temp-folder.ts';
import { measureCommitRates } from './commit-rates.ts';
import { measureFlatListener, measureListeners, type OpenPage } from './listeners.ts';
import { fillStore, measurePullPages } from './pull-pages.ts';
import { measureRuleDecisions } from './rule-decisions.ts';
import { benchServerStarts } from './server-starts.ts';

const liveCommits = 50;
const sequentialWrites = 200;
const parallelWrites = 500;
const writeRounds = 5;
const starts = 5;
const msPerSecond = 1_000;

const rate = (writes: number, ms: number): number => (writes * msPerSecond) / ms;

async function benchWrites(url: string, openPage: OpenPage): Promise<Measurement[]> {
  const times = [];
  for (let round = 0; round < writeRounds; round += 1) {
    times.push(
      await openPage((page) =>
        page.evaluate(
          ([at, sequential, parallel]) => window.live.writes(at, sequential, parallel),
          [url, sequentialWrites, parallelWrites] as const,
        ),
      ),
    );
  }
  return [
    amount(
      { id: 'writes', name: 'setDoc of one device, one after another', unit: 'writes/s' },
      times.map(({ sequentialMs }) => rate(sequentialWrites, sequentialMs)),
    ),
    amount(
      { id: 'writes-parallel', name: '500 setDoc of one device at once', unit: 'writes/s' },
      times.map(({ parallelMs }) => rate(parallelWrites, parallelMs)),
    ),
  ];
}

async function benchCommits(url: string): Promise<Measurement[]> {
  const { sequential, parallel } = await measureCommitRates(url);
  return [
    amount(
      { id: 'commits', name: 'commits of one note, one after another', unit: 'commits/s' },
      sequential,
    ),
    amount(
      { id: 'commits-parallel', name: 'the same by 50 owners at once', unit: 'commits/s' },
      parallel,
    ),
  ];
}

async function benchLatency(url: string, openPage: OpenPage): Promise<Measurement> {
  const latencies = await openPage((page) =>
    page.evaluate((request) => window.live.latencies(request), { url, commits: liveCommits }),
  );
  const name = "a commit until another device's listener is called";
  return amount({ id: 'live', name, unit: 'ms' }, latencies);
}

async function benchJournal(url: string, openPage: OpenPage): Promise<Measurement[]> {
  say('backend: pages of a pull');
  const { pageMs, commitMs } = await measurePullPages(url);
  say('backend: a listener to 10,000 entries');
  const { first, resumed } = await measureListeners(url, openPage);
  return [
    amount({ id: 'commit-100', name: 'a commit of 100 entries', unit: 'ms' }, commitMs),
    amount({ id: 'pull-page', name: 'a page of 500 of a pull of 10,000', unit: 'ms' }, pageMs),
    amount(
      { id: 'first-listen-deep', name: 'a listener gets a journal of 10,000 entries', unit: 'ms' },
      first,
    ),
    amount(
      { id: 'resume', name: 'it reconnects, one entry more was written', unit: 'ms' },
      resumed,
    ),
  ];
}

/** Uses a store of its own, so that the other measurements match their names. */
async function benchFlatListener(dataDir: string, openPage: OpenPage): Promise<Measurement> {
  say('backend: a listener to 10,000 documents of one collection');
  const backend = await startBackend({ dataDir });
  try {
    const name = 'a listener gets 10,000 documents of one collection';
    const times = await measureFlatListener(backend.url, openPage);
    return amount({ id: 'first-listen', name, unit: 'ms' }, times);
  } finally {
    await backend.stop();
  }
}

/** Measures starts with a store that is larger than a device's: a start reads almost nothing of it. */
async function benchStarts(dataDir: string): Promise<Measurement[]> {
  const filled = await startBackend({ dataDir });
  try {
    await fillStore(filled.url);
  } finally {
    await filled.stop();
  }
  const readyMs: number[] = [];
  const memoryMb: number[] = [];
  for (let start = 0; start < starts; start += 1) {
    const backend = await startBackend({ dataDir });
    readyMs.push(backend.readyMs);
    memoryMb.push((await backend.memory()).residentMb);
    await backend.stop();
  }
  return [
    amount({ id: 'start', name: 'start until ready, 100,000 entries stored', unit: 'ms' }, readyMs),
    amount({ id: 'memory', name: 'memory after that start', unit: 'MB' }, memoryMb),
  ];
}

/** Provides a fresh page of the full SDK for each call of `openPage`. */
async function withPages<Result>(
  folder: string,
  work: (openPage: OpenPage) => Promise<Result>,
): Promise<Result> {
  const server = await servePage(join(folder, 'page'));
  const context = await openProfile(join(folder, 'profile'));
  try {
    return await work((use) => withPage(context, `${server.url}live.html`, use));
  } finally {
    await context.close();
    await server.close();
  }
}

/** Measures the embedded backend as a separate process, on a real disk, by the requests of devices. */
export function benchBackend(): Promise<Measurement[]> {
  return withTempFolder(async (folder) => {
    const dataDir = join(folder, 'data');
    const backend = await startBackend({ dataDir });
    const { url } = backend;
    const measured: Measurement[] = [];
    try {
      await withPages(folder, async (openPage) => {
        say('backend: commits and writes');
        measured.push(...(await benchCommits(url)), ...(await benchWrites(url, openPage)));
        say('backend: live latency');
        measured.push(await benchLatency(url, openPage));
        measured.push(
          await benchFlatListener(join(folder, 'pack'), openPage),
          ...(await benchJournal(url, openPage)),
        );
      });
    } finally {
      await backend.stop();
    }
    say('backend: starts and rules');
    const rules = amount(
      { id: 'rules', name: 'decisions of the rules on a new note', unit: 'decisions/s' },
      await measureRuleDecisions(),
    );
    const starting = await benchStarts(join(folder, 'full'));
    return [...measured, ...starting, ...(await benchServerStarts()), rules];
  });
}
