import { createRxDocumentStore } from '../../store/rxdb/rx-document-store.ts';
import { feedKey } from '../../schemas/documents/feed-key.ts';
import { commitMaxDocuments, feedPageSize } from '../../schemas/limits.ts';
import { fakeFiles } from '../../tests/support/fakes/fake-files.ts';
import { createQueries } from '../../src/data/queries/rx-queries.ts';
import type { BenchPage } from './bench-page.ts';
import { dateOfEntry, petId } from './entries.ts';
import { firstValue } from './watched.ts';
import { ownerOf, rawNameOf } from './journals.ts';
import { withDatabase } from './our-database.ts';
import { openRaw } from './raw-database.ts';
import { inTurns, timed } from './stopwatch.ts';

const turns = 9;
const warmUps = 2;
/** About half of all ids are below it. */
const middleId = 'a';

/** Returns another part of the journal each time, since RxDB answers a repeated query from memory. */
function createKeys(stored: number): () => string {
  let index = Math.floor(stored / 2);
  return () => feedKey(dateOfEntry((index += feedPageSize)), '');
}

function failOnReadError(error: unknown): never {
  throw error;
}

export const listPages: BenchPage['listPages'] = async ({ stored }) => {
  const raw = await openRaw(rawNameOf(stored));
  const page = { afterId: middleId, limit: commitMaxDocuments };
  const nextKey = createKeys(stored);
  const rawPage = () => timed(() => raw.pageById(page.afterId, page.limit));
  try {
    return await withDatabase(ownerOf(stored), (database) => {
      const store = createRxDocumentStore(database);
      const queries = createQueries({
        collections: database,
        files: fakeFiles(),
        onReadError: failOnReadError,
      });
      const older = () => {
        const range = { after: nextKey(), until: null };
        return firstValue(queries.feed(petId, range, feedPageSize));
      };
      const variants = {
        feed: () => timed(older),
        feedRaw: () => timed(() => raw.newest(petId, { after: nextKey(), limit: feedPageSize })),
        waiting: () => timed(() => store.listPending('entries', 1, page)),
        waitingRaw: rawPage,
        ofPet: () => timed(() => store.listEntriesOfPet(petId, page)),
        ofPetRaw: rawPage,
        all: () => timed(() => store.listAll('entries', page)),
        allRaw: rawPage,
      };
      return inTurns({ variants, warmUps, turns });
    });
  } finally {
    raw.close();
  }
};
