import type { Page } from 'playwright';
import { openFirestoreClient, password } from '../../tests/support/servers/firestore-client.ts';
import { newEntries } from '../page/entries.ts';
import { entryCount, fillPack, journalEmail, packEmail, pushPiece } from './pull-pages.ts';

/** Milliseconds, round by round. */
export interface ListenTimes {
  readonly first: readonly number[];
  readonly resumed: readonly number[];
}

const rounds = 5;

export type OpenPage = <Result>(work: (page: Page) => Promise<Result>) => Promise<Result>;

/** Returns milliseconds to listen to 10,000 dogs of one owner with no cache, round by round. */
export async function measureFlatListener(url: string, openPage: OpenPage): Promise<number[]> {
  await fillPack(url);
  const account = { url, email: packEmail, password };
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push(
      await openPage((page) =>
        page.evaluate(([who, count]) => window.live.listen(who, { collectionId: 'pets', count }), [
          account,
          entryCount,
        ] as const),
      ),
    );
  }
  return times;
}

/**
 * Measures a listener to a journal of 10,000 entries with no cache, and again after one more entry was written
 * meanwhile.
 */
export async function measureListeners(url: string, openPage: OpenPage): Promise<ListenTimes> {
  const writer = await openFirestoreClient({ url, email: journalEmail, isNew: false });
  const account = { url, email: journalEmail, password };
  const first: number[] = [];
  const resumed: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await openPage(async (page) => {
        const entries = entryCount + round;
        first.push(
          await page.evaluate(
            ([who, count]) => window.live.listen(who, { collectionId: 'journalEntries', count }),
            [account, entries] as const,
          ),
        );
        await page.evaluate(() => window.live.disconnect());
        await pushPiece(writer, newEntries(1));
        // The pet has the first seq.
        const seq = entries + 2;
        resumed.push(await page.evaluate((at) => window.live.catchUp(at), seq));
      });
    }
  } finally {
    await writer.close();
  }
  return { first, resumed };
}
