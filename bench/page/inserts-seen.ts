import type { EntryRow } from '../../schemas/document.ts';
import { feedPageSize } from '../../schemas/limits.ts';
import type { Data } from '../../src/data/data-context.ts';
import type { Live } from '../../src/lib/live.ts';
import type { BenchPage } from './bench-page.ts';
import { noteText, petId } from './entries.ts';
import { newRow } from './inserts.ts';
import { ownerOf, rawNameOf } from './journals.ts';
import { openSession } from './our-database.ts';
import { openRaw, type RawDatabase } from './raw-database.ts';
import { inTurns, timed } from './stopwatch.ts';
import { watch } from './watched.ts';

/** As many until the browser has compiled what runs. */
const warmUps = 20;

export function newestOf(data: Data, limit: number): Live<readonly EntryRow[]> {
  return data.queries.feed(petId, { after: null, until: null }, limit);
}

/** Resolves once the watched feed begins with the entry. */
function begins(feed: Live<readonly EntryRow[]>, id: Promise<string>): Promise<void> {
  return new Promise((resolve, reject) => {
    let wanted: string | null = null;
    const look = (): void => {
      if (wanted === null || feed.getSnapshot()?.[0]?.id !== wanted) return;
      stop();
      resolve();
    };
    const stop = feed.subscribe(look);
    const lookFor = (added: string): void => {
      wanted = added;
      look();
    };
    id.then(lookFor, reject);
  });
}

function addAndSee(data: Data, feed: Live<readonly EntryRow[]>): Promise<void> {
  return begins(feed, data.commands.addNote({ petId, text: noteText }));
}

/** The least that can be done: commit, then change a list in memory. */
async function createLimit(raw: RawDatabase) {
  let list = await raw.newest(petId, { limit: feedPageSize });
  return async (): Promise<void> => {
    const row = newRow();
    await raw.put([row], 'strict');
    list = [row, ...list.slice(0, feedPageSize - 1)];
  };
}

/** What else is live while a journal is open: the header's status, the names of the dogs. */
function watchAsApp(data: Data): () => void {
  const { queries } = data;
  const lives = [queries.pets(), queries.pet(petId), queries.syncOverview(), queries.fetchedOnce()];
  const stops = lives.map((live) => live.subscribe(() => undefined));
  return () => stops.forEach((stop) => stop());
}

export const insertsSeen: BenchPage['insertsSeen'] = async ({ stored, inserts: turns }) => {
  const session = await openSession(ownerOf(stored));
  const raw = await openRaw(rawNameOf(stored));
  const feed = newestOf(session.data, feedPageSize);
  const { stop } = await watch(feed);
  const limit = await createLimit(raw);
  const seen = () => timed(() => addAndSee(session.data, feed));
  const seenInApp = async () => {
    const unwatch = watchAsApp(session.data);
    // What was just subscribed to reads first.
    await addAndSee(session.data, feed);
    const ms = await seen();
    unwatch();
    return ms;
  };
  const variants = { ours: seen, limit: () => timed(limit), oursInApp: seenInApp };
  try {
    return await inTurns({ variants, warmUps, turns });
  } finally {
    stop();
    raw.close();
    await session.close();
  }
};
