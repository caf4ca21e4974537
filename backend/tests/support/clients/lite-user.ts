import { deleteApp, initializeApp } from 'firebase/app';
import {
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  inMemoryPersistence,
  initializeAuth,
} from 'firebase/auth';
import {
  connectFirestoreEmulator,
  initializeFirestore,
  setLogLevel,
} from 'firebase/firestore/lite';
import { onTestFinished } from 'vitest';
import { testPassword, newEmail } from './sdk-user.ts';

// Refusals are what some tests are about; the SDK would print each.
setLogLevel('silent');

let apps = 0;

/** An app with the Node build of Auth, signed in to nobody; closed when the test ends. */
export function liteApp(port: number) {
  const app = initializeApp({ apiKey: 'key', projectId: 'demo-pawpals' }, `lite-${++apps}`);
  onTestFinished(() => deleteApp(app));
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, `http://127.0.0.1:${port}`, { disableWarnings: true });
  const db = initializeFirestore(app, {});
  connectFirestoreEmulator(db, '127.0.0.1', port);
  return { app, auth, db };
}

export async function liteUser(port: number, email = newEmail()) {
  const { app, auth, db } = liteApp(port);
  const { user } = await createUserWithEmailAndPassword(auth, email, testPassword);
  return { app, auth, db, user, uid: user.uid, email };
}
