import {
  collection,
  disableNetwork,
  doc,
  enableNetwork,
  getDocFromCache,
  initializeFirestore,
  limit,
  onSnapshot,
  orderBy,
  persistentLocalCache,
  persistentMultipleTabManager,
  query,
  setDoc,
  terminate,
  Timestamp,
  waitForPendingWrites,
  type DocumentReference,
  type Query,
  type QuerySnapshot,
} from 'firebase/firestore';
import { feedPageSize } from '../../../schemas/limits.ts';
import { newId } from '../../../src/platform/new-id.ts';
import { noteText, petId } from '../entries.ts';
import type { OpenRival } from './rival.ts';
import { createSightings } from './sightings.ts';

const isFromServer = ({ metadata }: QuerySnapshot): boolean => !metadata.fromCache;

/** Watches a query, and resolves with the first snapshot that satisfies the condition. */
function watch(
  wanted: Query,
  isReached: (snapshot: QuerySnapshot) => boolean,
  onNext?: (snapshot: QuerySnapshot) => void,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const next = (snapshot: QuerySnapshot): void => {
      onNext?.(snapshot);
      if (isReached(snapshot)) resolve(snapshot.size);
    };
    onSnapshot(wanted, { includeMetadataChanges: true }, { next, error: reject });
  });
}

/**
 * Opens the Firestore SDK with its persistent cache for several tabs, as its guide sets it up. A listener reports that
 * a note is stored on the device; the promise of `setDoc` waits for the server.
 */
export const openFirestoreCache: OpenRival = ({ app, uid, journal }) => {
  // Its database is opened by its first use.
  const firestore = initializeFirestore(app, {
    host: new URL(journal.url).host,
    ssl: false,
    localCache: persistentLocalCache({ tabManager: persistentMultipleTabManager() }),
  });
  const entries = collection(firestore, 'pets', petId, 'journalEntries');
  const newest = (count: number) => query(entries, orderBy('createdDate', 'desc'), limit(count));

  const write = (id = newId()): DocumentReference => {
    const ref = doc(entries, id);
    const createdDate = Timestamp.now();
    const note = { createdBy: uid, createdDate, type: 'note', text: noteText, deleted: false };
    void setDoc(ref, { ...note, edits: {}, seq: 0, updatedAt: createdDate });
    return ref;
  };

  return {
    load: () =>
      watch(entries, (snapshot) => isFromServer(snapshot) && snapshot.size === journal.count),
    settle: async () => {
      await watch(newest(feedPageSize), isFromServer);
    },
    readNewest: () => watch(newest(feedPageSize), ({ size }) => size === feedPageSize),
    holdAll: () => watch(entries, ({ size }) => size >= journal.count),
    open: async (isWatched) => {
      const sightings = createSightings();
      // The smallest listener reports that a note is stored.
      const wanted = newest(isWatched ? feedPageSize : 1);
      await watch(wanted, isFromServer, ({ docs }) => sightings.see(docs[0]?.id));
      // The device is offline, as on a walk; the app's own variant sends nothing meanwhile either.
      await disableNetwork(firestore);
      return {
        add: async () => {
          const id = newId();
          const seen = sightings.of(id);
          write(id);
          await seen;
        },
      };
    },
    fillWaiting: async (count) => {
      await disableNetwork(firestore);
      let last = write();
      for (let written = 1; written < count; written += 1) last = write();
      // This read is answered after all requests before it.
      await getDocFromCache(last);
    },
    send: async () => {
      await enableNetwork(firestore);
      await waitForPendingWrites(firestore);
    },
    close: () => terminate(firestore),
  };
};
