import { FirebaseError, type FirebaseApp } from 'firebase/app';
import {
  browserLocalPersistence,
  browserSessionPersistence,
  confirmPasswordReset,
  connectAuthEmulator,
  createUserWithEmailAndPassword,
  deleteUser,
  getAdditionalUserInfo,
  indexedDBLocalPersistence,
  initializeAuth,
  onAuthStateChanged,
  sendPasswordResetEmail,
  setPersistence,
  signInWithEmailAndPassword,
  signOut,
  type Auth as FirebaseAuth,
  type User,
  type UserCredential,
} from 'firebase/auth';
import type { SignedInUser } from '../../../schemas/forms/account.ts';
import { canStore } from '../storage/can-store.ts';
import { AuthError, type Auth, type SignInChoice } from './auth.ts';
import type { GoogleSignIn } from './google-sign-in.ts';
import { isNative } from '../native-platform.ts';

/** Firebase Authentication. Loaded when somebody signs in, or after the first screen of who is signed in already. */
export interface FirebaseAuthService extends Auth {
  /** Resolves once it is known whether a sign-in is kept on this device. */
  ready(): Promise<void>;
  /** Whether requests made now carry this owner's token. */
  isSignedInAs(uid: string): boolean;
  /** The token of this owner's requests, made anew if it must be; null if it is not this owner who is signed in. */
  idTokenOf(uid: string, isRenewed: boolean): Promise<string | null>;
  /** @param onChange somebody has signed in or out, in this tab or another. @returns a function that stops watching. */
  watch(onChange: () => void): () => void;
  /** Signs this owner out, and nobody else. */
  signOutOf(uid: string): Promise<void>;
  /** @throws {AuthError} `auth/no-current-user` unless it is this owner who is signed in. */
  deleteAccountOf(uid: string): Promise<void>;
}

export interface FirebaseAuthOptions {
  readonly app: FirebaseApp;
  /** Origin of a server that is not Google's; null for hosted Firebase. */
  readonly serverOrigin: string | null;
  /** Where the app is on the web: links in e-mails lead there. */
  readonly appOrigin: string;
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

const internalError = 'auth/internal-error';

function toAuthError(error: unknown): AuthError {
  if (error instanceof AuthError) return error;
  const code = error instanceof FirebaseError ? error.code : internalError;
  return new AuthError(code, { cause: error });
}

/** @throws {AuthError} and nothing else. */
async function told<Result>(request: () => Promise<Result>): Promise<Result> {
  try {
    return await request();
  } catch (error) {
    throw toAuthError(error);
  }
}

async function importGoogle(
  auth: FirebaseAuth,
  { serverOrigin }: FirebaseAuthOptions,
): Promise<GoogleSignIn> {
  if (isNative()) {
    const { openNativeGoogle } = await import('../native/google-sign-in.ts');
    return openNativeGoogle(auth);
  }
  const { openGooglePopup } = await import('./google-sign-in.ts');
  return openGooglePopup({ auth, hasOwnChooser: serverOrigin !== null });
}

export function createFirebaseAuth(options: FirebaseAuthOptions): FirebaseAuthService {
  const auth = openAuth(options);
  let google: Promise<GoogleSignIn> | null = null;

  const loadGoogle = (): Promise<GoogleSignIn> => {
    google ??= importGoogle(auth, options);
    // A failed load is tried again with the next click.
    google.catch(() => (google = null));
    return google;
  };

  const enter = (
    { keepSignedIn }: SignInChoice,
    request: () => Promise<UserCredential>,
  ): Promise<SignedInUser> =>
    told(async () => {
      const persistence = keepSignedIn ? indexedDBLocalPersistence : browserSessionPersistence;
      await setPersistence(auth, persistence);
      try {
        return toUser((await request()).user);
      } catch (error) {
        const { code } = toAuthError(error);
        // All that the SDK says when it could not keep the sign-in.
        if (code !== internalError || (await canStore())) throw error;
        throw new AuthError('pawpals/not-stored', { cause: error });
      }
    });

  return {
    signIn: (credentials) =>
      enter(credentials, () =>
        signInWithEmailAndPassword(auth, credentials.email, credentials.password),
      ),
    register: (credentials) =>
      enter(credentials, () =>
        createUserWithEmailAndPassword(auth, credentials.email, credentials.password),
      ),
    prepareGoogle: () => told(async () => void (await loadGoogle())),
    signInWithGoogle: (choice, { onClosed, onNewAccount }) =>
      enter(choice, async () => {
        const credential = await (await loadGoogle()).signIn(onClosed);
        if (getAdditionalUserInfo(credential)?.isNewUser === true) onNewAccount();
        return credential;
      }),
    sendPasswordReset: (email) =>
      told(() =>
        sendPasswordResetEmail(auth, email, {
          url: `${options.appOrigin}/auth/set-new-password`,
          handleCodeInApp: true,
        }),
      ),
    confirmPasswordReset: ({ code, password }) =>
      told(() => confirmPasswordReset(auth, code, password)),
    ready: () => auth.authStateReady(),
    isSignedInAs: (uid) => auth.currentUser?.uid === uid,
    idTokenOf: async (uid, isRenewed) => {
      await auth.authStateReady();
      const user = auth.currentUser;
      return user?.uid === uid ? user.getIdToken(isRenewed) : null;
    },
    watch: (onChange) => onAuthStateChanged(auth, onChange),
    signOutOf: (uid) =>
      told(async () => {
        await auth.authStateReady();
        if (auth.currentUser?.uid === uid) await signOut(auth);
      }),
    deleteAccountOf: (uid) =>
      told(async () => {
        await auth.authStateReady();
        const user = auth.currentUser;
        if (user?.uid !== uid) throw new AuthError('auth/no-current-user');
        await deleteUser(user);
      }),
  };
}
