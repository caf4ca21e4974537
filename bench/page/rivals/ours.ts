import { initializeFirestore } from 'firebase/firestore/lite';
import { firestoreSettings } from '../../../replication/firebase/config.ts';
import { firebaseConfigOf } from '../../../replication/firebase/firebase-config.ts';
import { createFirestoreDocuments } from '../../../replication/firebase/firestore-documents.ts';
import { createProbe } from '../../../replication/firebase/probe.ts';
import { openDatabase, type PawPalsDatabase } from '../../../store/rxdb/database.ts';
import { raiseStores } from '../../../store/indexeddb/raise-stores.ts';
import { feedPageSize } from '../../../schemas/limits.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';
import type { OwnerSession } from '../../../src/app/session/owner-session.ts';
import { newEntries, noteText, petId } from '../entries.ts';
import { newestOf } from '../inserts-seen.ts';
import { fill, openSession, syncOnce } from '../our-database.ts';
import { watch } from '../watched.ts';
import type { OpenRival } from './rival.ts';
import { createSightings } from './sightings.ts';

/** Opens the data layer like the app, with its sync engine and the real server. */
export const openOurs: OpenRival = ({ app, uid, journal }) => {
  const config = firebaseConfigOf({}, journal.url);
  const remote = createFirestoreDocuments({
    firestore: initializeFirestore(app, firestoreSettings(config)),
    uid,
    clock: systemClock,
    probe: createProbe(config),
    isSignedIn: () => true,
  });
  let database: PawPalsDatabase | null = null;
  let session: OwnerSession | null = null;
  const held: unknown[] = [];
  const openDocuments = async () => (database ??= await openDatabase({ uid, raise: raiseStores }));
  const openData = async () => (session ??= await openSession(uid)).data;
  const hold = async (limit: number): Promise<number> => {
    const watched = await watch(newestOf(await openData(), limit));
    held.push(watched);
    return watched.value.length;
  };
  return {
    load: async () => {
      const documents = await openDocuments();
      await syncOnce(documents, remote);
      return documents.journal_entries.count().exec();
    },
    readNewest: () => hold(feedPageSize),
    holdAll: () => hold(2 * journal.count),
    open: async (isWatched) => {
      const { commands, queries } = await openData();
      const loaded = await commands();
      const add = () => loaded.addNote({ petId, text: noteText });
      if (!isWatched) return { add: async () => void (await add()) };
      const feed = queries.feed(petId, { after: null, until: null }, feedPageSize);
      await watch(feed);
      const sightings = createSightings();
      feed.subscribe(() => sightings.see(feed.getSnapshot()?.[0]?.id));
      return {
        add: async () => {
          const id = await add();
          if (feed.getSnapshot()?.[0]?.id !== id) await sightings.of(id);
        },
      };
    },
    fillWaiting: async (count) => {
      const documents = await openDocuments();
      await syncOnce(documents, remote);
      await fill(
        documents,
        newEntries(count).map((entry) => ({ ...entry, ownerId: uid })),
      );
    },
    send: async () => {
      await syncOnce(await openDocuments(), remote);
    },
    close: async () => {
      await session?.close();
      await database?.close();
    },
  };
};
