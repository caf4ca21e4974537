import {
  firebaseConfigOf,
  type FirebaseConfig,
} from '../../replication/firebase/firebase-config.ts';

/** Returns the configuration in `VITE_FIREBASE_*` of the build; without it, the server that the page came from. */
export function firebaseConfigOfBuild(): FirebaseConfig {
  return firebaseConfigOf(import.meta.env, location.origin);
}
