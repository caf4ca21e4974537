import type { FirestoreSettings } from 'firebase/firestore';
import { onTestFinished } from 'vitest';
import type { BrowserSdk } from './sdk-bundle.ts';

let apps = 0;

export const testPassword = 'Correct-h0rse';
export const newEmail = (): string => `owner-${++apps}-${process.pid}@example.com`;

/** A signed-in app of its own, closed when the test ends. */
export async function sdkUser(sdk: BrowserSdk, port: number, settings: FirestoreSettings = {}) {
  const email = newEmail();
  const host = `127.0.0.1:${port}`;
  const app = sdk.initializeApp({ apiKey: 'key', projectId: 'demo-pawpals' }, `app-${++apps}`);
  onTestFinished(() => sdk.deleteApp(app));
  const auth = sdk.initializeAuth(app, { persistence: sdk.inMemoryPersistence });
  sdk.connectAuthEmulator(auth, `http://${host}`, { disableWarnings: true });
  const { user } = await sdk.createUserWithEmailAndPassword(auth, email, testPassword);
  const db = sdk.initializeFirestore(app, { host, ssl: false, ...settings });
  return { app, auth, db, user, uid: user.uid, email };
}
