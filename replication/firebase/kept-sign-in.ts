import {
  connectAuthEmulator,
  indexedDBLocalPersistence,
  initializeAuth,
  type Auth,
  type Persistence,
} from 'firebase/auth/web-extension';
import { firebaseApp } from './config.ts';
import type { FirebaseConfig } from './firebase-config.ts';

/** A sign-in that is stored on this device, as a worker finds it. */
export interface KeptSignIn {
  readonly uid: string;
  /** Whether requests made now carry this owner's token. */
  readonly isSignedIn: () => boolean;
  /** Returns the token of this owner's requests, renewed if requested; null once they have signed out. */
  readonly idToken: (isRenewed: boolean) => Promise<string | null>;
}

type PersistenceClass = new () => Persistence;

/**
 * Reads the stored sign-in and never writes it. The SDK would store the user again after it has validated them with the
 * server, which would bring back an owner who has signed out meanwhile.
 */
// The SDK's persistences are classes with an opaque type.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
class ReadOnlyPersistence extends (indexedDBLocalPersistence as unknown as PersistenceClass) {
  static readonly type = 'LOCAL';
  override readonly type = 'LOCAL';
  async _set(): Promise<void> {}
  async _remove(): Promise<void> {}
}

let opened: Auth | null = null;

function openAuth(config: FirebaseConfig): Auth {
  const auth = initializeAuth(firebaseApp(config), { persistence: ReadOnlyPersistence });
  const { serverOrigin } = config;
  if (serverOrigin !== null) connectAuthEmulator(auth, serverOrigin, { disableWarnings: true });
  return auth;
}

/**
 * Finds the stored sign-in. A session-only sign-in is in storage that no worker can read. @returns null if there is
 * none.
 */
export async function findKeptSignIn(config: FirebaseConfig): Promise<KeptSignIn | null> {
  opened ??= openAuth(config);
  const auth = opened;
  await auth.authStateReady();
  const uid = auth.currentUser?.uid;
  if (uid === undefined) return null;
  const isSignedIn = (): boolean => auth.currentUser?.uid === uid;
  return {
    uid,
    isSignedIn,
    idToken: async (isRenewed) =>
      isSignedIn() ? ((await auth.currentUser?.getIdToken(isRenewed)) ?? null) : null,
  };
}
