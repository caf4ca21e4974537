import { getApps, initializeApp, type FirebaseApp } from 'firebase/app';
import type { FirebaseConfig } from './firebase-config.ts';

/** Returns the Firebase app, of which a page or worker has one. */
export function firebaseApp(config: FirebaseConfig): FirebaseApp {
  const [existing] = getApps();
  if (existing) return existing;
  const { serverOrigin: _, ...options } = config;
  return initializeApp(options);
}

/** Returns the Firestore settings for a server that is not Google's; empty for hosted Firebase. */
export function firestoreSettings(config: FirebaseConfig): { host?: string; ssl?: boolean } {
  if (config.serverOrigin === null) return {};
  const url = new URL(config.serverOrigin);
  return { host: url.host, ssl: url.protocol === 'https:' };
}
