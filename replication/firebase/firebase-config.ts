/** The Firebase to talk to. Hosted, emulated and embedded Firebase differ in these values only. */
export interface FirebaseConfig {
  readonly apiKey: string;
  readonly authDomain: string;
  readonly projectId: string;
  readonly storageBucket: string;
  readonly appId: string;
  /** The origin of a server that is not Google's, as `http://localhost:4173`; null for hosted Firebase. */
  readonly serverOrigin: string | null;
}

/** The environment variables by which a build is configured for a Firebase project. */
export interface FirebaseEnvironment {
  readonly VITE_FIREBASE_API_KEY?: string;
  readonly VITE_FIREBASE_AUTH_DOMAIN?: string;
  readonly VITE_FIREBASE_PROJECT_ID?: string;
  readonly VITE_FIREBASE_STORAGE_BUCKET?: string;
  readonly VITE_FIREBASE_APP_ID?: string;
  /** The site key of reCAPTCHA Enterprise; without one there is no App Check. */
  readonly VITE_FIREBASE_APP_CHECK_KEY?: string;
  /** The origin of an emulator or embedded server in place of Google's. */
  readonly VITE_FIREBASE_SERVER_ORIGIN?: string;
}

/** @param ownOrigin the origin that served the code; without variables it is also the Firebase server. */
export function firebaseConfigOf(env: FirebaseEnvironment, ownOrigin: string): FirebaseConfig {
  const projectId = env.VITE_FIREBASE_PROJECT_ID ?? 'demo-pawpals';
  const isHosted = env.VITE_FIREBASE_API_KEY !== undefined;
  return {
    apiKey: env.VITE_FIREBASE_API_KEY ?? 'embedded',
    authDomain: env.VITE_FIREBASE_AUTH_DOMAIN ?? `${projectId}.firebaseapp.com`,
    projectId,
    storageBucket: env.VITE_FIREBASE_STORAGE_BUCKET ?? `${projectId}.appspot.com`,
    appId: env.VITE_FIREBASE_APP_ID ?? 'pawpals',
    serverOrigin: isHosted ? (env.VITE_FIREBASE_SERVER_ORIGIN ?? null) : ownOrigin,
  };
}
