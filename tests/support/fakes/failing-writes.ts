import { vi } from 'vitest';
import type { LocalRecordKind } from '../../../schemas/local/local-record.ts';
import type { PawPalsDatabase } from '../../../store/rxdb/database.ts';
import type { DocumentStore, Writes } from '../../../store/document-store.ts';
import { placeOf } from '../../../store/rxdb/rx-storage.ts';

/** Makes the write with this index (0 is the next one) to an owner's database fail; later writes succeed. */
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

/** Makes the next commit with a record of that kind fail; later commits succeed. */
export function failRecord(store: CommitStore, kind: LocalRecordKind): void {
  failCommit(store, ({ records = [] }) => records.some(([, record]) => record?.kind === kind));
}

/** Makes the next commit that changes a document fail; later commits succeed. */
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
