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
import type { Bell, Log, OnlineSignal } from '../../ports.ts';
import { firebaseApp, firestoreSettings } from '../config.ts';
import type { FirebaseConfig } from '../firebase-config.ts';

export interface BellOptions {
  readonly config: FirebaseConfig;
  readonly uid: string;
  /** While offline the stream is closed, since its reconnection attempts would fill the console. */
  readonly online: OnlineSignal;
  readonly log: Log;
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
 * Creates a bell that rings when `sync/{uid}` changes. It is the only user of the full Firestore SDK, since the lite
 * one has no stream. The SDK is large, so it is loaded separately, when idle. It stores nothing, and sync works without
 * a ring.
 */
export function createBell({ config, uid, online, log }: BellOptions): Bell {
  const firestore = openStream(config);
  const report = (): void => log('bell-lost');
  const followConnection = (isOnline: boolean): void => {
    const following = isOnline ? enableNetwork(firestore) : disableNetwork(firestore);
    following.catch(report);
  };

  return {
    listen: (onRing) => {
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
        // The SDK keeps a stream without listeners for a minute, and would use the token of the next owner who signs
        // in.
        followConnection(false);
      };
    },
  };
}
