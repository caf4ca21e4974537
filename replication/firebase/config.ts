import { getApps, initializeApp, type FirebaseApp } from 'firebase/app';
import type { FirebaseConfig } from './firebase-config.ts';

/** One Firebase app per page or worker, whoever asks first. */
export function firebaseApp(config: FirebaseConfig): FirebaseApp {
  const [existing] = getApps();
  if (existing) return existing;
  const { serverOrigin: _, ...options } = config;
  return initializeApp(options);
}

/** Firestore settings for a server that is not Google's; empty for hosted Firebase. */
export function firestoreSettings(config: FirebaseConfig): { host?: string; ssl?: boolean } {
  if (config.serverOrigin === null) return {};
  const url = new URL(config.serverOrigin);
  return { host: url.host, ssl: url.protocol === 'https:' };
}
