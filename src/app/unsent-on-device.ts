import { openDatabase } from '../../replication/store/database.ts';
import { createQueries } from '../data/rx-queries.ts';
import { countUnsent, hasUnsent, unsentText } from '../features/account/unsent-work.ts';
import type { Data } from '../data/data-context.ts';
import type { SyncOverview } from '../data/queries.ts';
import { firstValue } from '../lib/first-value.ts';

/** Whether this device alone has something of an owner who is not here. @throws if it cannot be read. */
export async function hasUnsentOnDevice(uid: string): Promise<boolean> {
  const database = await openDatabase({ uid });
  try {
    const overview = await new Promise<SyncOverview>((resolve, reject) => {
      const queries = createQueries({ collections: database, onReadError: reject });
      firstValue(queries.syncOverview()).then(resolve, reject);
    });
    return hasUnsent(countUnsent(overview, uid));
  } finally {
    await database.close();
  }
}

/** What waits of an owner who is here; null if nothing does. */
export async function unsentWords({ uid, queries }: Data): Promise<string | null> {
  const unsent = countUnsent(await firstValue(queries.syncOverview()), uid);
  return hasUnsent(unsent) ? unsentText(unsent) : null;
}
