import type { FirebaseConfig } from '../../replication/firebase/config.ts';

/** `VITE_FIREBASE_*` of the build; with none given, the server that the page came from. */
export function firebaseConfigOfBuild(): FirebaseConfig {
  const env = import.meta.env;
  const projectId = env.VITE_FIREBASE_PROJECT_ID ?? 'demo-pawpals';
  const isHosted = env.VITE_FIREBASE_API_KEY !== undefined;
  return {
    apiKey: env.VITE_FIREBASE_API_KEY ?? 'embedded',
    authDomain: env.VITE_FIREBASE_AUTH_DOMAIN ?? `${projectId}.firebaseapp.com`,
    projectId,
    storageBucket: env.VITE_FIREBASE_STORAGE_BUCKET ?? `${projectId}.appspot.com`,
    appId: env.VITE_FIREBASE_APP_ID ?? 'pawpals',
    serverOrigin: isHosted ? (env.VITE_FIREBASE_SERVER_ORIGIN ?? null) : location.origin,
  };
}
