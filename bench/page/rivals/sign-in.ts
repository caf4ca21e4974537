import { initializeApp } from 'firebase/app';
import {
  connectAuthEmulator,
  initializeAuth,
  inMemoryPersistence,
  signInWithEmailAndPassword,
} from 'firebase/auth';
import { firebaseConfigOf } from '../../../replication/firebase/firebase-config.ts';
import type { Journal } from './rivals-page.ts';
import type { RivalOwner } from './rival.ts';

/** Signs in the page's only owner. The SDK's databases are named after the app. */
export async function signInto(journal: Journal): Promise<RivalOwner> {
  const { url, email, password } = journal;
  const { serverOrigin: _, ...settings } = firebaseConfigOf({}, url);
  const app = initializeApp(settings, email);
  const auth = initializeAuth(app, { persistence: inMemoryPersistence });
  connectAuthEmulator(auth, url, { disableWarnings: true });
  const { user } = await signInWithEmailAndPassword(auth, email, password);
  return { app, uid: user.uid, journal };
}
