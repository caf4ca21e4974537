import {
  disableNetwork,
  doc,
  enableNetwork,
  initializeFirestore,
  memoryLocalCache,
  onSnapshot,
  setLogLevel,
  type Firestore,
} from 'firebase/firestore';
import type { Log, OnlineSignal } from '../../ports.ts';
import { firebaseApp, firestoreSettings } from '../config.ts';
import type { FirebaseConfig } from '../firebase-config.ts';

export interface BellOptions {
  readonly config: FirebaseConfig;
  readonly uid: string;
  /** While offline the stream is closed, since its reconnection attempts would fill the console. */
  readonly online: OnlineSignal;
  readonly log: Log;
  readonly onRing: () => void;
}

let opened: Firestore | null = null;

/** Opens the SDK. It allows one instance per page, and a tab may become the one that syncs more than once. */
function openStream(config: FirebaseConfig): Firestore {
  setLogLevel('silent');
  opened ??= initializeFirestore(firebaseApp(config), {
    ...firestoreSettings(config),
    localCache: memoryLocalCache(),
  });
  return opened;
}

/**
 * Rings when `sync/{uid}` changes: the server may have something new. It is the only user of the full Firestore SDK,
 * since the lite one has no stream. The SDK is large, so it is loaded separately, when idle. It stores nothing, and sync
 * works without a ring.
 * @returns a function that stops listening.
 */
export function listenToBell({ config, uid, online, log, onRing }: BellOptions): () => void {
  const firestore = openStream(config);
  const report = (): void => log('bell-lost');
  const followConnection = (isOnline: boolean): void => {
    const following = isOnline ? enableNetwork(firestore) : disableNetwork(firestore);
    following.catch(report);
  };
  const unwatch = online.watch(followConnection);
  followConnection(online.isOnline());
  const unsubscribe = onSnapshot(
    doc(firestore, 'sync', uid),
    ({ metadata }) => {
      if (!metadata.fromCache) onRing();
    },
    report,
  );
  return () => {
    unwatch();
    unsubscribe();
    // The SDK keeps a stream without listeners for a minute, and would use the token of the next owner who signs in.
    followConnection(false);
  };
}
