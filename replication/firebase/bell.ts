import {
  doc,
  initializeFirestore,
  memoryLocalCache,
  onSnapshot,
  setLogLevel,
} from 'firebase/firestore';
import type { Bell } from '../ports.ts';
import { firebaseApp, firestoreSettings, type FirebaseConfig } from './config.ts';

/**
 * Rings when `sync/{uid}` changes. The only use of the full Firestore SDK, whose stream the lite one lacks: it is large,
 * so it is loaded apart and when idle. Nothing is stored, and nothing depends on a ring being heard.
 */
/** A bell that cannot be heard costs nothing but time: sync also starts by itself. */
function ignoreFailure(): void {}

export function createBell(config: FirebaseConfig, uid: string): Bell {
  setLogLevel('silent');
  const firestore = initializeFirestore(firebaseApp(config), {
    ...firestoreSettings(config),
    localCache: memoryLocalCache(),
  });
  return {
    listen: (onRing) =>
      onSnapshot(
        doc(firestore, 'sync', uid),
        (snapshot) => {
          if (!snapshot.metadata.fromCache) onRing();
        },
        ignoreFailure,
      ),
  };
}
