import type { DocumentData, Firestore, Query } from 'firebase/firestore';
import type * as Sdk from '../browser/sdk.ts';

/** A client of the fuzz test, in Node or in a page; all arguments and results are JSON. */
export interface FuzzClient {
  /** Starts a write without waiting for it. */
  write(write: FuzzWrite): Promise<void>;
  setOnline(isOnline: boolean): Promise<void>;
  /** Returns the current live views; a view that the server has not confirmed is marked. */
  views(): Promise<readonly string[]>;
  /** Waits until every write is answered; resolves to the codes of the refused ones. */
  settle(): Promise<readonly string[]>;
  /** Fetches the same views from the server. */
  truth(): Promise<readonly string[]>;
}

export type FuzzWrite =
  | { readonly kind: 'set' | 'merge'; readonly id: string; readonly n: number }
  | { readonly kind: 'delete' | 'increment'; readonly id: string }
  | { readonly kind: 'add'; readonly mark: string }
  | { readonly kind: 'pair'; readonly n: number };

const collectionName = 'fuzz';

/**
 * Listens to queries that each find some documents; with `isWhole` also to all documents. That listener corrects the
 * cache of the others, so only a client without it shows whether each query gets all updates.
 */
export function createFuzzClient(sdk: typeof Sdk, db: Firestore, isWhole: boolean): FuzzClient {
  const queries = viewsOf(sdk, db).slice(isWhole ? 0 : 1);
  const shown = queries.map(() => 'nothing yet');
  const errors: string[] = [];
  const pending = new Set<Promise<void>>();
  for (const [at, query] of queries.entries()) {
    sdk.onSnapshot(
      query,
      { includeMetadataChanges: true },
      (snapshot) => {
        const { fromCache, hasPendingWrites } = snapshot.metadata;
        const text = hasPendingWrites ? 'not answered' : textOf(snapshot.docs);
        shown[at] = fromCache ? 'from the cache' : text;
      },
      (error) => errors.push(`listener: ${error.code}`),
    );
  }

  const ref = (id: string) => sdk.doc(db, collectionName, id);
  const start = (write: FuzzWrite): Promise<unknown> => {
    switch (write.kind) {
      case 'set':
        return sdk.setDoc(ref(write.id), { n: write.n });
      case 'merge':
        return sdk.setDoc(ref(write.id), { m: write.n }, { merge: true });
      case 'delete':
        return sdk.deleteDoc(ref(write.id));
      case 'increment':
        return sdk.setDoc(ref(write.id), { sum: sdk.increment(1) }, { merge: true });
      case 'add':
        return sdk.addDoc(sdk.collection(db, collectionName), { mark: write.mark });
      default: {
        const batch = sdk.writeBatch(db);
        batch.set(ref('left'), { pair: write.n }).set(ref('right'), { pair: write.n });
        return batch.commit();
      }
    }
  };

  const settle = async (write: FuzzWrite): Promise<void> => {
    try {
      await start(write);
    } catch (error) {
      // A batch whose answer was lost is retried; a document that it created exists by then.
      const isRepeated = error instanceof sdk.FirebaseError && error.code === 'already-exists';
      if (write.kind !== 'add' || !isRepeated) errors.push(`${write.kind}: ${String(error)}`);
    }
  };

  return {
    async write(write) {
      const done = settle(write);
      pending.add(done);
      void done.finally(() => pending.delete(done));
    },
    setOnline: (isOnline) => (isOnline ? sdk.enableNetwork(db) : sdk.disableNetwork(db)),
    async views() {
      return shown;
    },
    async settle() {
      await Promise.all(pending);
      await sdk.waitForPendingWrites(db);
      return errors;
    },
    truth: () =>
      Promise.all(queries.map(async (each) => textOf((await sdk.getDocsFromServer(each)).docs))),
  };
}

function viewsOf(sdk: typeof Sdk, db: Firestore): readonly Query[] {
  const all = sdk.collection(db, collectionName);
  const { limit, limitToLast, or, orderBy, query, startAt, where } = sdk;
  return [
    all,
    query(all, orderBy('n'), limit(3)),
    query(all, orderBy('n', 'desc'), limitToLast(2)),
    query(all, orderBy('n'), startAt(30), limit(4)),
    query(all, where('n', '>', 40), where('n', '<=', 70)),
    query(all, or(where('m', '==', 1), where('n', '<', 10))),
  ];
}

const textOf = (docs: readonly { id: string; data(): DocumentData }[]): string =>
  docs
    .map((each) => {
      const entries = Object.entries(each.data());
      return `${each.id}${JSON.stringify(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)))}`;
    })
    .join(' ');
