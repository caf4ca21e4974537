import { deleteApp, initializeApp } from 'firebase/app';
import {
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  deleteUser,
  initializeAuth,
  inMemoryPersistence,
  signInWithEmailAndPassword,
} from 'firebase/auth';
import { getFirestore, initializeFirestore, setLogLevel } from 'firebase/firestore/lite';
import { firestoreSettings } from '../../replication/firebase/config.ts';
import type { FirebaseConfig } from '../../replication/firebase/firebase-config.ts';
import { createFirestoreDocuments } from '../../replication/firebase/firestore-documents.ts';
import { createProbe } from '../../replication/firebase/probe.ts';
import { createStorageFiles } from '../../replication/firebase/storage-files.ts';
import { createTranscriber } from '../../replication/firebase/transcriber.ts';
import type { Clock, RemoteDocuments, RemoteFiles, Transcriber } from '../../replication/ports.ts';

export interface Account {
  readonly email: string;
  readonly password: string;
}

/** One signed-in device: the SDK and sync's requests to the server, without a database of its own. */
export interface SmokeSession {
  readonly uid: string;
  readonly documents: RemoteDocuments;
  readonly files: RemoteFiles;
  readonly transcriber: Transcriber;
  deleteAccount(): Promise<void>;
  close(): Promise<void>;
}

const clock: Clock = {
  now: () => Date.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

export interface SessionOptions {
  readonly config: FirebaseConfig;
  /** The origin that serves the app. */
  readonly origin: string;
  readonly account: Account;
  /** Whether to create the account first. */
  readonly isNew: boolean;
  /** Called with each answer of Storage. */
  readonly onFile?: (answer: Response) => void;
}

export async function openSession(options: SessionOptions): Promise<SmokeSession> {
  const { config, origin, account, isNew, onFile = () => undefined } = options;
  setLogLevel('silent');
  const { serverOrigin, ...settings } = config;
  const app = initializeApp(settings, crypto.randomUUID());
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  if (serverOrigin !== null) connectAuthEmulator(auth, serverOrigin, { disableWarnings: true });
  const enter = isNew ? createUserWithEmailAndPassword : signInWithEmailAndPassword;
  const { user } = await enter(auth, account.email, account.password);
  const idToken = (isRenewed: boolean) => user.getIdToken(isRenewed);
  const own = firestoreSettings(config);
  return {
    uid: user.uid,
    documents: createFirestoreDocuments({
      firestore: own.host === undefined ? getFirestore(app) : initializeFirestore(app, own),
      uid: user.uid,
      clock,
      probe: createProbe(config),
      isSignedIn: () => true,
    }),
    files: createStorageFiles({
      config,
      idToken,
      clock,
      fetch: async (input, init) => {
        const answer = await fetch(input, init);
        onFile(answer);
        return answer;
      },
    }),
    transcriber: createTranscriber({ origin, idToken, clock }),
    deleteAccount: () => deleteUser(user),
    close: () => deleteApp(app),
  };
}
