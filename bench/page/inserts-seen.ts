import type { Entry } from '../../schemas/documents/document.ts';
import { feedPageSize } from '../../schemas/limits.ts';
import type { Data } from '../../src/data/data-context.ts';
import type { Live } from '../../src/lib/async/live.ts';
import type { BenchPage } from './bench-page.ts';
import { noteText, petId } from './entries.ts';
import { newRow } from './inserts.ts';
import { ownerOf, rawNameOf } from './journals.ts';
import { openSession } from './our-database.ts';
import { openRaw, type RawDatabase } from './raw-database.ts';
import { inTurns, timed } from './stopwatch.ts';
import { firstValue, watch } from './watched.ts';

/** The number of runs after which the browser has compiled the code. */
const warmUps = 20;

export function newestOf(data: Data, limit: number): Live<readonly Entry[]> {
  return data.queries.feed(petId, { after: null, until: null }, limit);
}

/** Resolves when the live value satisfies the condition. */
function reached<Value>(live: Live<Value>, isReached: (value: Value) => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      const value = live.getSnapshot();
      if (value === undefined || !isReached(value)) return;
      stop();
      resolve();
    };
    const stop = live.subscribe(look);
    look();
  });
}

/** Adds a note and resolves when it is the first of the live list. */
async function addAndSee(data: Data, feed: Live<readonly Entry[]>): Promise<void> {
  const id = await (await data.commands()).addNote({ petId, text: noteText });
  await reached(feed, ([newest]) => newest?.id === id);
}

/** Creates the cheapest possible variant: commit, then change a list in memory. */
async function createLimit(raw: RawDatabase) {
  let list = await raw.newest(petId, { limit: feedPageSize });
  return async (): Promise<void> => {
    const row = newRow();
    await raw.put([row], 'strict');
    list = [row, ...list.slice(0, feedPageSize - 1)];
  };
}

/**
 * Measures a note while everything is watched that the app watches in an open journal: the header's status, the names
 * of the pets. Their reads after a note would delay a note that follows within milliseconds, here of the next variant,
 * so all of them are awaited.
 */
async function seenInApp(data: Data, feed: Live<readonly Entry[]>): Promise<number> {
  const { queries } = data;
  const overview = queries.syncOverview();
  const lives = [queries.pets(), queries.pet(petId), overview, queries.fetchedOnce()];
  const stops = lives.map((live) => live.subscribe(() => undefined));
  const before = await firstValue(overview);
  const ms = await timed(() => addAndSee(data, feed));
  // The count rises by more than one if the file jobs are read only now.
  await reached(overview, ({ waitingCount }) => waitingCount > before.waitingCount);
  stops.forEach((stop) => stop());
  return ms;
}

export const insertsSeen: BenchPage['insertsSeen'] = async ({ stored, inserts: turns }) => {
  const session = await openSession(ownerOf(stored));
  const raw = await openRaw(rawNameOf(stored));
  const feed = newestOf(session.data, feedPageSize);
  const { stop } = await watch(feed);
  const limit = await createLimit(raw);
  const seen = () => timed(() => addAndSee(session.data, feed));
  const oursInApp = () => seenInApp(session.data, feed);
  const variants = { ours: seen, limit: () => timed(limit), oursInApp };
  try {
    return await inTurns({ variants, warmUps, turns });
  } finally {
    stop();
    raw.close();
    await session.close();
  }
};
