import type { createStore } from 'jotai';
import { atom } from 'jotai';
import type { Log } from '../../replication/ports.ts';
import { eraseDatabases } from '../../replication/store/erase.ts';
import type { SignedInUser } from '../../schemas/account.ts';
import type { Data } from '../data/data-context.ts';
import { eraseDrafts } from '../lib/draft.ts';
import {
  clearAccountPointer,
  readAccountPointer,
  watchAccountPointer,
  writeAccountPointer,
} from '../platform/account-pointer.ts';
import type { Auth, Credentials } from '../platform/auth.ts';
import type { FirebaseAuthService } from '../platform/firebase-auth.ts';
import { forgetErasure, noteErasure, readErasure } from '../platform/pending-erasure.ts';
import { authStateAtom, syncActivityAtom, type Session } from '../platform/session.ts';
import { whenIdle } from '../platform/when-idle.ts';
import { openOwnerSession, type OwnerSession, type OwnerSessionOptions } from './owner-session.ts';

/** The open data of whoever is signed in; null while nobody is, or while it is being opened. */
export const dataAtom = atom<Data | null>(null);

/** The database could not be read: the screens must not take that for "nothing there". */
export const readFailedAtom = atom(false);

export interface SessionControllerDeps {
  readonly store: ReturnType<typeof createStore>;
  readonly log: Log;
  /** Loads the identity provider's code. */
  readonly loadAuth: () => Promise<FirebaseAuthService>;
  readonly loadSync: OwnerSessionOptions['loadSync'];
}

export interface SessionController {
  readonly session: Session;
  /** Opens the data of the owner this device remembers, if any. */
  start(): Promise<void>;
}

export function createSessionController(deps: SessionControllerDeps): SessionController {
  const { store, log } = deps;
  let owner: OwnerSession | null = null;

  const setUser = (user: SignedInUser | null): void => {
    const status = user === null ? 'idle' : 'succeeded';
    store.set(authStateAtom, { user, status, error: null, initialized: true });
  };

  const onReadError = (error: unknown): void => {
    log('read-failed', { reason: error instanceof Error ? error.name : 'unknown' });
    store.set(readFailedAtom, true);
  };

  const open = async (user: SignedInUser): Promise<void> => {
    owner = await openOwnerSession({
      uid: user.uid,
      log,
      loadSync: deps.loadSync,
      onActivity: (activity) => store.set(syncActivityAtom, activity),
      onReadError,
    });
    store.set(dataAtom, owner.data);
    const opened = owner;
    whenIdle(() => {
      opened.startSync().catch(() => log('sync-not-started'));
    });
  };

  const leave = async (): Promise<void> => {
    const leaving = owner;
    owner = null;
    setUser(null);
    store.set(dataAtom, null);
    store.set(syncActivityAtom, { phase: 'idle', problem: null });
    await leaving?.close();
  };

  /** Also the end of a sign-out that a crash cut short. */
  const eraseOwner = async (uid: string): Promise<void> => {
    await eraseDatabases(uid);
    eraseDrafts(uid);
    const auth = await deps.loadAuth();
    await auth.signOut();
    forgetErasure();
    log('erased');
  };

  const enter = async (
    credentials: Credentials,
    request: (auth: Auth) => Promise<SignedInUser>,
  ): Promise<SignedInUser> => {
    const user = await request(await deps.loadAuth());
    if (owner !== null) await leave();
    clearAccountPointer();
    writeAccountPointer(user, credentials.keepSignedIn);
    await open(user);
    return user;
  };

  const signOut = async (): Promise<void> => {
    const uid = owner?.data.uid;
    if (uid === undefined) return;
    noteErasure(uid);
    clearAccountPointer();
    await leave();
    await eraseOwner(uid);
  };

  /** Another tab has signed out or changed the owner: this one follows. */
  const follow = (user: SignedInUser | null): void => {
    if (user?.uid === owner?.data.uid) return;
    leave()
      .then(() => (user === null ? undefined : open(user).then(() => setUser(user))))
      .catch(() => log('follow-failed'));
  };

  const finishErasure = async (): Promise<void> => {
    const uid = readErasure();
    if (uid === null) return;
    try {
      await eraseOwner(uid);
    } catch {
      log('erasure-not-finished');
    }
  };

  const start = async (): Promise<void> => {
    watchAccountPointer(follow);
    await finishErasure();
    const user = readAccountPointer();
    setUser(user);
    if (user === null) return;
    try {
      await open(user);
    } catch (error) {
      onReadError(error);
    }
  };

  return {
    session: {
      auth: {
        signIn: (credentials) => enter(credentials, (auth) => auth.signIn(credentials)),
        register: (credentials) => enter(credentials, (auth) => auth.register(credentials)),
        signOut,
      },
      signOut,
      syncNow: () => owner?.syncNow(),
    },
    start,
  };
}
