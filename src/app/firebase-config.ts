import {
  firebaseConfigOf,
  type FirebaseConfig,
} from '../../replication/firebase/firebase-config.ts';

/** `VITE_FIREBASE_*` of the build; with none given, the server that the page came from. */
export function firebaseConfigOfBuild(): FirebaseConfig {
  return firebaseConfigOf(import.meta.env, location.origin);
}
