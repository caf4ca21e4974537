import { deleteApp, initializeApp } from 'firebase/app';
import {
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  initializeAuth,
  inMemoryPersistence,
  signInWithEmailAndPassword,
} from 'firebase/auth';
import { initializeFirestore, setLogLevel, type Firestore } from 'firebase/firestore/lite';
import {
  createFirestoreDocuments,
  type FirestoreDocuments,
} from '../../../replication/firebase/firestore-documents.ts';
import { systemClock } from '../../../src/platform/system-clock.ts';

setLogLevel('silent');

/** One signed-in client of the real SDK, like a device. */
export interface FirestoreClient {
  readonly uid: string;
  readonly firestore: Firestore;
  readonly documents: FirestoreDocuments;
  readonly idToken: (isRenewed?: boolean) => Promise<string>;
  close(): Promise<void>;
}

export interface ClientOptions {
  readonly url: string;
  readonly email: string;
  /** Whether to create the account first. */
  readonly isNew: boolean;
}

const probe = async () => false;

export const password = 'Walkies-4-all';

export async function openFirestoreClient(options: ClientOptions): Promise<FirestoreClient> {
  const { url, email, isNew } = options;
  const { host } = new URL(url);
  const settings = { apiKey: 'embedded', projectId: 'demo-pawpals', appId: 'pawpals' };
  const app = initializeApp(settings, crypto.randomUUID());
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, url, { disableWarnings: true });
  const enter = isNew ? createUserWithEmailAndPassword : signInWithEmailAndPassword;
  const { user } = await enter(auth, email, password);
  const firestore = initializeFirestore(app, { host, ssl: false });
  return {
    uid: user.uid,
    firestore,
    documents: createFirestoreDocuments({
      firestore,
      uid: user.uid,
      clock: systemClock,
      probe,
      isSignedIn: () => true,
    }),
    idToken: (isRenewed) => user.getIdToken(isRenewed),
    close: () => deleteApp(app),
  };
}
