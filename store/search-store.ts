import type { Entry } from '../schemas/documents/document.ts';
import { answerOf, endOfTransaction } from './indexeddb/requests.ts';
import { openExisting } from './indexeddb/stores.ts';
import { createTaskQueue } from './task-queue.ts';

/** The searchable part of an entry. */
export interface SearchableEntry {
  readonly id: string;
  readonly petId: string;
  readonly feedKey: string;
  readonly type?: string;
  readonly text?: string;
  readonly transcript?: string;
  readonly deleted: boolean;
  /** Changes with each write. */
  readonly _rev: string;
}

export type SearchStore = Awaited<ReturnType<typeof openSearchStore>>;

const entriesStore = 'journal_entries';
const indexStore = 'search';
const indexId = 'entries';
const pageSize = 500;

type StoredEntry = Entry & Pick<SearchableEntry, '_rev'>;

/** Whether it is an entry. A row that RxDB has deleted is inside another object, and has no columns of its own. */
function isEntry(stored: object): stored is StoredEntry {
  return 'petId' in stored && 'feedKey' in stored;
}

function toSearchable({ fields, ...entry }: StoredEntry): SearchableEntry {
  const { id, petId, feedKey, deleted, _rev } = entry;
  const { type, text, transcript } = fields;
  return {
    id,
    petId,
    feedKey,
    deleted,
    _rev,
    ...(type !== undefined && { type }),
    ...(text !== undefined && { text }),
    ...(transcript !== undefined && { transcript }),
  };
}

/**
 * Opens the search worker's access to an owner's database, which the worker opens by itself and without RxDB. It has one
 * transaction at a time. A worker that is terminated while it reads and writes can leave WebKit's database without any
 * further transaction, in all tabs, until the browser ends; WebKit mended that in September 2026.
 * @param version the version of the database that the page has open.
 */
export async function openSearchStore(name: string, version: number) {
  const database = await openExisting(name, version);
  if (database === null) throw new DOMException('There is no such database', 'NotFoundError');
  const { run: enqueue } = createTaskQueue();
  const read = <Result>(
    store: string,
    work: (objects: IDBObjectStore) => Promise<Result>,
  ): Promise<Result> =>
    enqueue(async () => {
      const transaction = database.transaction(store);
      const ended = endOfTransaction(transaction);
      const [result] = await Promise.all([work(transaction.objectStore(store)), ended]);
      return result;
    });

  return {
    /** Counts all entries, tombstones included. */
    countEntries: () => read(entriesStore, (entries) => answerOf(entries.count())),
    /** Yields all entries in order of id, page by page. */
    pages: async function* readPages(): AsyncGenerator<readonly SearchableEntry[]> {
      let after: string | null = null;
      for (;;) {
        const range: IDBKeyRange | null =
          after === null ? null : IDBKeyRange.lowerBound(after, true);
        const page: object[] = await read(entriesStore, (entries) =>
          answerOf<object[]>(entries.getAll(range, pageSize)),
        );
        yield page.filter(isEntry).map(toSearchable);
        const end = page.at(-1);
        if (end === undefined || page.length < pageSize) return;
        after = 'id' in end ? String(end.id) : '';
      }
    },
    /** Reads entries by id; ids without an entry are skipped. */
    entries: async (ids: readonly string[]): Promise<readonly SearchableEntry[]> => {
      const found = await read(entriesStore, (entries) =>
        Promise.all(ids.map((id) => answerOf<object | undefined>(entries.get(id)))),
      );
      return found
        .filter((stored) => stored !== undefined)
        .filter(isEntry)
        .map(toSearchable);
    },
    /** @returns the index that was written last, by any version of the app; null before the first time. */
    readIndex: async (): Promise<string | null> => {
      const kept = await read(indexStore, (index) => answerOf<unknown>(index.get(indexId)));
      return typeof kept === 'object' && kept !== null && 'json' in kept ? String(kept.json) : null;
    },
    /** Writes the index without strict durability, since a lost index is built again. */
    writeIndex: (json: string) =>
      enqueue(async () => {
        const transaction = database.transaction(indexStore, 'readwrite', {
          durability: 'relaxed',
        });
        transaction.objectStore(indexStore).put({ id: indexId, json });
        await endOfTransaction(transaction);
      }),
    close: () => database.close(),
  };
}
