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
import type { Bell, Log, OnlineSignal } from '../ports.ts';
import { firebaseApp, firestoreSettings } from './config.ts';
import type { FirebaseConfig } from './firebase-config.ts';

/**
 * Rings when `sync/{uid}` changes. The only use of the full Firestore SDK, whose stream the lite one lacks: it is large,
 * so it is loaded apart and when idle. Nothing is stored, and nothing depends on a ring being heard.
 */
export interface BellOptions {
  readonly config: FirebaseConfig;
  readonly uid: string;
  /** Offline the stream is closed: its attempts to come back would fill the console for nothing. */
  readonly online: OnlineSignal;
  readonly log: Log;
}

let opened: Firestore | null = null;

/** The SDK allows one instance per page, and a tab may become the one that syncs more than once. */
function openStream(config: FirebaseConfig): Firestore {
  setLogLevel('silent');
  opened ??= initializeFirestore(firebaseApp(config), {
    ...firestoreSettings(config),
    localCache: memoryLocalCache(),
  });
  return opened;
}

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
        // The SDK keeps a stream without listeners for a minute, and asks with the token of whoever signs in meanwhile.
        followConnection(false);
      };
    },
  };
}
