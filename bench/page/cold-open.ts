import { feedPageSize } from '../../schemas/limits.ts';
import type { BenchPage } from './bench-page.ts';
import { petId } from './entries.ts';
import { newestOf } from './inserts-seen.ts';
import { ownerOf, rawNameOf } from './journals.ts';
import { openSession } from './our-database.ts';
import { openRaw } from './raw-database.ts';
import { timed } from './stopwatch.ts';
import { watch } from './watched.ts';

async function openOurs(stored: number): Promise<number> {
  const session = await openSession(ownerOf(stored));
  const { value } = await watch(newestOf(session.data, feedPageSize));
  return value.length;
}

async function openByHand(stored: number): Promise<number> {
  const raw = await openRaw(rawNameOf(stored));
  return (await raw.newest(petId, { limit: feedPageSize })).length;
}

export const coldOpen: BenchPage['coldOpen'] = ({ side, stored }) =>
  timed(async () => {
    const found = side === 'ours' ? await openOurs(stored) : await openByHand(stored);
    if (found !== feedPageSize) throw new Error(`Found ${found} entries`);
  });

/** References that last until the page is closed. */
const held: unknown[] = [];

export const holdAll: BenchPage['holdAll'] = async ({ side, stored }) => {
  if (side === 'ours') {
    const session = await openSession(ownerOf(stored));
    held.push(session, await watch(newestOf(session.data, 2 * stored)));
    return;
  }
  const raw = await openRaw(rawNameOf(stored));
  held.push(raw, await raw.readAll(petId));
};
