import { FirebaseError, type FirebaseApp } from 'firebase/app';
import {
  browserLocalPersistence,
  browserSessionPersistence,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  setPersistence,
  signInWithEmailAndPassword,
  signOut,
  type Auth as FirebaseAuth,
  type User,
  type UserCredential,
} from 'firebase/auth';
import type { SignedInUser } from '../../schemas/account.ts';
import { AuthError, type Auth, type Credentials } from './auth.ts';
import type { GooglePopup } from './google-sign-in.ts';

/** Firebase Authentication. Loaded when somebody signs in, or after the first screen of who is signed in already. */
export interface FirebaseAuthService extends Auth {
  /** Resolves once it is known whether a sign-in is kept on this device. */
  ready(): Promise<void>;
  /** Whether requests made now carry this owner's token. */
  isSignedInAs(uid: string): boolean;
  /** @param onChange somebody has signed in or out, in this tab or another. @returns a function that stops watching. */
  watch(onChange: () => void): () => void;
  /** Loads what Google's popup needs, so that it opens within the moment a browser allows after a click. */
  prepareGoogle(): Promise<void>;
  signInWithGoogle(options: Pick<Credentials, 'keepSignedIn'>): Promise<SignedInUser>;
  /** Signs this owner out, and nobody else. */
  signOutOf(uid: string): Promise<void>;
}

export interface FirebaseAuthOptions {
  readonly app: FirebaseApp;
  /** Origin of a server that is not Google's; null for hosted Firebase. */
  readonly serverOrigin: string | null;
}

function openAuth({ app, serverOrigin }: FirebaseAuthOptions): FirebaseAuth {
  const auth = initializeAuth(app, {
    persistence: [indexedDBLocalPersistence, browserLocalPersistence, browserSessionPersistence],
  });
  if (serverOrigin !== null) connectAuthEmulator(auth, serverOrigin, { disableWarnings: true });
  return auth;
}

function toUser({ uid, email, displayName }: User): SignedInUser {
  return { uid, email, displayName };
}

function toAuthError(error: unknown): AuthError {
  const code = error instanceof FirebaseError ? error.code : 'auth/internal-error';
  return new AuthError(code, { cause: error });
}

export function createFirebaseAuth(options: FirebaseAuthOptions): FirebaseAuthService {
  const auth = openAuth(options);
  let popup: Promise<GooglePopup> | null = null;

  const loadPopup = (): Promise<GooglePopup> => {
    popup ??= import('./google-sign-in.ts').then(({ openGooglePopup }) =>
      openGooglePopup({ auth, hasOwnChooser: options.serverOrigin !== null }),
    );
    // A failed load is tried again with the next click.
    popup.catch(() => (popup = null));
    return popup;
  };

  const enter = async (
    credentials: Pick<Credentials, 'keepSignedIn'>,
    request: () => Promise<UserCredential>,
  ): Promise<SignedInUser> => {
    try {
      const persistence = credentials.keepSignedIn
        ? indexedDBLocalPersistence
        : browserSessionPersistence;
      await setPersistence(auth, persistence);
      return toUser((await request()).user);
    } catch (error) {
      throw toAuthError(error);
    }
  };

  return {
    signIn: (credentials) =>
      enter(credentials, () =>
        signInWithEmailAndPassword(auth, credentials.email, credentials.password),
      ),
    register: (credentials) =>
      enter(credentials, () =>
        createUserWithEmailAndPassword(auth, credentials.email, credentials.password),
      ),
    prepareGoogle: async () => void (await loadPopup()),
    signInWithGoogle: (choice) => enter(choice, async () => (await loadPopup()).signIn()),
    ready: () => auth.authStateReady(),
    isSignedInAs: (uid) => auth.currentUser?.uid === uid,
    watch: (onChange) => onAuthStateChanged(auth, onChange),
    signOutOf: async (uid) => {
      try {
        await auth.authStateReady();
        if (auth.currentUser?.uid === uid) await signOut(auth);
      } catch (error) {
        throw toAuthError(error);
      }
    },
  };
}
