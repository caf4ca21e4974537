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
import { ChunkLoadError } from '../../lib/async/load-chunk.ts';
import { canStore } from '../storage/can-store.ts';
import { readSessionPointer } from './account-pointer.ts';
import { AuthError, notLoaded, type Auth, type SignInChoice } from './auth.ts';
import type { GoogleSignIn } from './google-sign-in.ts';
import { isNative } from '../native-platform.ts';

/** Firebase Authentication. Its code loads when somebody signs in, or after the first screen of a returning owner. */
export interface FirebaseAuthService extends Auth {
  /** Resolves once it is known whether this device has a sign-in. */
  ready(): Promise<void>;
  /** Whether requests carry this owner's token now. */
  isSignedInAs(uid: string): boolean;
  /** Returns the token of this owner, renewed on request; null if another owner or nobody is signed in. */
  idTokenOf(uid: string, isRenewed: boolean): Promise<string | null>;
  /** Calls `onChange` when somebody signs in or out, in any tab. @returns a function that stops watching. */
  watch(onChange: () => void): () => void;
  /** Signs out this owner; does nothing if another one is signed in. */
  signOutOf(uid: string): Promise<void>;
  /** Deletes this owner's account. @throws {AuthError} `auth/no-current-user` if this owner is not signed in. */
  deleteAccountOf(uid: string): Promise<void>;
}

export interface FirebaseAuthOptions {
  readonly app: FirebaseApp;
  /** The origin of a server that is not Google's; null for hosted Firebase. */
  readonly serverOrigin: string | null;
  /** The origin of the app on the web, for links in e-mails. */
  readonly appOrigin: string;
}

function openAuth({ app, serverOrigin }: FirebaseAuthOptions): FirebaseAuth {
  const kept = [indexedDBLocalPersistence, browserLocalPersistence];
  const auth = initializeAuth(app, {
    // The SDK uses the first sign-in that it finds: beside that of this tab, another owner's may be kept.
    persistence:
      readSessionPointer() === null
        ? [...kept, browserSessionPersistence]
        : [browserSessionPersistence, ...kept],
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
  if (error instanceof ChunkLoadError) return notLoaded(error);
  const code = error instanceof FirebaseError ? error.code : internalError;
  return new AuthError(code, { cause: error });
}

/** Runs a request. @throws {AuthError} for every failure. */
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
    // The next click retries a failed load.
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
        // The SDK reports only this error when it could not store the sign-in.
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
