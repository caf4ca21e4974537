import { vi } from 'vitest';
import type { LocalRecordKind } from '../../../schemas/local/local-record.ts';
import type { PawPalsDatabase } from '../../../store/rxdb/database.ts';
import type { DocumentStore, Writes } from '../../../store/document-store.ts';
import { placeOf } from '../../../store/rxdb/rx-storage.ts';

/** The given write to an owner's database fails, counted from 0 and from now; those after it work. */
export function failWrite({ local }: PawPalsDatabase, index: number): void {
  const { database } = placeOf(local);
  const begin = database.transaction.bind(database);
  let left = index;
  vi.spyOn(database, 'transaction').mockImplementation((stores, mode, options) => {
    if (mode === 'readwrite') left -= 1;
    if (mode === 'readwrite' && left === -1) throw new Error('The disk has failed');
    return begin(stores, mode, options);
  });
}

type CommitStore = Pick<DocumentStore, 'commit'>;

/** The next commit with a record of that kind cannot be stored; those after it can. */
export function failRecord(store: CommitStore, kind: LocalRecordKind): void {
  failCommit(store, ({ records = [] }) => records.some(([, record]) => record?.kind === kind));
}

/** The next commit that changes a document cannot be stored; those after it can. */
export function failSwap(store: CommitStore): void {
  failCommit(store, ({ swaps = [] }) => swaps.length > 0);
}

function failCommit(store: CommitStore, isWanted: (writes: Writes) => boolean): void {
  const commit = store.commit.bind(store);
  let hasFailed = false;
  vi.spyOn(store, 'commit').mockImplementation(async (writes) => {
    if (isWanted(writes) && !hasFailed) {
      hasFailed = true;
      throw new Error('The disk has failed');
    }
    return commit(writes);
  });
}
