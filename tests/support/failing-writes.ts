import type { RxCollection } from 'rxdb';
import { vi } from 'vitest';
import type { LocalRecordKind } from '../../schemas/local-record.ts';
import type { PawPalsDatabase } from '../../store/database.ts';
import type { DocumentStore } from '../../store/document-store.ts';

/** The given write of an owner's documents and records fails, counted from 0 and from now; those after it work. */
export function failWrite(database: PawPalsDatabase, index: number): void {
  let left = index;
  const count = (): void => {
    left -= 1;
    if (left === -1) throw new Error('The disk has failed');
  };
  const watch = <Row>({ storageInstance }: RxCollection<Row>): void => {
    const write = storageInstance.bulkWrite.bind(storageInstance);
    const bulkWrite: typeof write = async (...args) => {
      count();
      return write(...args);
    };
    Object.assign(storageInstance, { bulkWrite });
  };
  watch(database.pets);
  watch(database.journal_entries);
  watch(database.local);
}

/** The next record of a kind cannot be stored; those after it can. */
export function failRecord(store: Pick<DocumentStore, 'writeRecord'>, kind: LocalRecordKind): void {
  const write = store.writeRecord.bind(store);
  let hasFailed = false;
  vi.spyOn(store, 'writeRecord').mockImplementation(async (id, record) => {
    if (record.kind === kind && !hasFailed) {
      hasFailed = true;
      throw new Error('The disk has failed');
    }
    await write(id, record);
  });
}
