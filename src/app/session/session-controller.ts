import type { createStore } from 'jotai';
import { atom } from 'jotai';
import { flushSync } from 'react-dom';
import type { Log } from '../../../replication/ports.ts';
import type { QueuedErasure } from '../../../replication/connectivity/erase-under-lock.ts';
import type { RequestStatus, SignedInUser } from '../../../schemas/forms/account.ts';
import type { Data } from '../../data/data-context.ts';
import { createTaskQueue } from '../../../store/task-queue.ts';
import {
  clearSessionPointer,
  readAccountPointer,
  readSessionPointer,
  rememberedUser,
  watchAccountPointer,
  writeAccountPointer,
} from '../../platform/auth/account-pointer.ts';
import { AuthError, isUnanswered, type Auth, type SignInChoice } from '../../platform/auth/auth.ts';
import {
  sessionOnlyOwners,
  forgetSessionOnlyOwner,
  noteSessionOnlyOwner,
} from '../../platform/auth/session-only-owners.ts';
import {
  forgetDeletion,
  forgetErasure,
  isDeletionNoted,
  isErasureNoted,
  noteDeletion,
  pendingErasures,
  watchErasure,
} from '../../platform/storage/pending-erasure.ts';
import {
  authStateAtom,
  syncActivityAtom,
  type Session,
  type SyncActivity,
} from '../../platform/auth/session.ts';
import { reasonOf } from '../log.ts';
import type { SessionOnlySignIns } from './session-only-sign-in.ts';
import {
  beginErasure,
  finishErasure,
  finishErasureBefore,
  reserveErasure,
  type ErasureDeps,
} from './erasure.ts';
import type { OwnerSession, OwnerSessionOptions } from './owner-session.ts';

/** The open data of the signed-in owner; null while nobody is signed in, or while it is being opened. */
export const dataAtom = atom<Data | null>(null);

/** Why the journal cannot be shown: its database or its code. Screens must not take that for an empty journal. */
export const readFailureAtom = atom<Error | null>(null);

export interface SessionControllerDeps extends ErasureDeps {
  readonly store: ReturnType<typeof createStore>;
  readonly log: Log;
  readonly loadSync: OwnerSessionOptions['loadSync'];
  readonly readOrganizations: OwnerSessionOptions['readOrganizations'];
  readonly openOwner: (
    options: Omit<OwnerSessionOptions, 'loadRemoteFiles' | 'loadTranscriber'>,
  ) => Promise<OwnerSession>;
  readonly loadSessionOnlySignIns: () => Promise<SessionOnlySignIns>;
  /**
   * Runs when an owner's databases are open, before the first request to the server.
   * @param ended aborts when they close.
   */
  readonly onOpened: (data: Data, ended: AbortSignal) => Promise<void>;
  /** Runs when an owner signs in again and unsent data of an ended session is found. */
  readonly onFoundUnsent: (data: Data) => Promise<void>;
  /** Whether the open data has something that the server does not have. */
  readonly hasUnsent: (data: Data) => Promise<boolean>;
}

/** The signed-in owner of this device, and the open data. */
export interface SessionController {
  readonly session: Session;
  /** Opens the data of the owner this device remembers, if any. */
  start(): Promise<void>;
  /** Removes the data of ended browser sessions. Callers wait until the page is idle. */
  tidy(): Promise<void>;
}

const starting: SyncActivity = { phase: 'starting', problem: null };

/**
 * Creates the controller of sign-in, sign-out and the open database.
 *
 * - Changes run one after another: a sign-in waits for the sign-out before it.
 * - A sign-out erases only data from before it was noted, never data written after the same owner came back.
 * - Another owner who signs in signs out the open one, and is refused while something of that one is unsent; a sign-up
 *   then creates no account.
 * - Other tabs follow a sign-in or sign-out, also those that the browser restores afterwards.
 * - The data of a sign-in for the browser session is removed at a later start, unless it is unsent.
 * - A page that was frozen reads everything again.
 */
export function createSessionController(deps: SessionControllerDeps): SessionController {
  const { store, log } = deps;
  const queue = createTaskQueue();
  let owner: OwnerSession | null = null;
  let ended = new AbortController();

  const setUser = (
    user: SignedInUser | null,
    status: RequestStatus = user === null ? 'idle' : 'succeeded',
  ): void => {
    store.set(authStateAtom, (state) => ({
      ...state,
      user,
      status,
      error: null,
      initialized: true,
    }));
  };

  const onReadError = (error: unknown): void => {
    log('read-failed', reasonOf(error));
    store.set(readFailureAtom, error instanceof Error ? error : new Error('unknown'));
  };

  const open = async (user: SignedInUser, visit: Data['visit'] = {}): Promise<void> => {
    store.set(syncActivityAtom, starting);
    if (sessionOnlyOwners().includes(user.uid)) {
      await (await deps.loadSessionOnlySignIns()).hold(user.uid);
      // An erasure that ended meanwhile has removed the note.
      noteSessionOnlyOwner(user.uid);
    }
    const session = new AbortController();
    ended = session;
    owner = await deps.openOwner({
      uid: user.uid,
      visit,
      log,
      loadSync: deps.loadSync,
      readOrganizations: deps.readOrganizations,
      onActivity: (activity) => store.set(syncActivityAtom, activity),
      // The database of an owner who signs out in another tab is closed before this tab is told.
      onReadError: (error) => {
        if (!session.signal.aborted) onReadError(error);
      },
      onPageResumed: () => enqueue(() => reopen(user)),
    });
    store.set(dataAtom, owner.data);
    tell(deps.onOpened(owner.data, session.signal));
  };

  const settle = (telling: Promise<void>): Promise<void> =>
    telling.catch((error: unknown) => log('not-told', reasonOf(error)));

  const tell = (telling: Promise<void>): void => void settle(telling);

  /** @param status of the request of an account screen, which may still be in progress. */
  const leave = async (status?: RequestStatus): Promise<void> => {
    const leaving = owner;
    owner = null;
    ended.abort();
    store.set(readFailureAtom, null);
    setUser(null, status);
    store.set(dataAtom, null);
    await leaving?.close();
  };

  const reopen = async (user: SignedInUser): Promise<void> => {
    const thawed = owner;
    if (thawed?.data.uid !== user.uid) return;
    // Another tab may have signed out meanwhile; a page that was frozen hears of it only later.
    if (rememberedUser()?.uid !== user.uid) {
      await follow();
      return;
    }
    owner = null;
    ended.abort();
    // The pages are left at once, so that what they keep is stored before the database closes.
    flushSync(() => store.set(dataAtom, null));
    await settle(thawed.close());
    await open(user, thawed.data.visit).catch(onReadError);
  };

  /** An erasure that fails stays noted, and is tried again at a later start. @returns whether it succeeded here. */
  const finish = async (uid: string, reserved?: QueuedErasure): Promise<boolean> => {
    try {
      return await finishErasure(uid, deps, reserved);
    } catch (error) {
      log('erasure-not-finished', reasonOf(error));
      return false;
    }
  };

  /** Finishes the noted erasures, except that of one owner. */
  const finishNoted = async (except?: string): Promise<void> => {
    for (const { uid } of pendingErasures()) if (uid !== except) await finish(uid);
  };

  /** @throws {AuthError} `pawpals/other-unsent` if something of the open owner may be unsent. */
  const refuseUnsent = async (): Promise<void> => {
    const isUnsent = owner !== null && (await deps.hasUnsent(owner.data).catch(() => true));
    if (isUnsent) throw new AuthError('pawpals/other-unsent');
  };

  /** Closes the open data for an owner who signs in; another owner is signed out, as their account may be deleted. */
  const giveWayTo = async (uid: string): Promise<void> => {
    if (owner?.data.uid === uid) return leave('loading');
    await refuseUnsent();
    if (owner !== null) await erase(owner.data.uid, 'loading');
  };

  const enter = async (
    { keepSignedIn }: SignInChoice,
    request: (auth: Auth) => Promise<SignedInUser>,
  ): Promise<SignedInUser> => {
    const user = await request(await deps.loadAuth());
    const isLeftFromBefore = sessionOnlyOwners().includes(user.uid);
    try {
      await giveWayTo(user.uid);
      if (isErasureNoted(user.uid) && !(await finishErasureBefore(user.uid, deps))) {
        throw new AuthError('pawpals/open-elsewhere');
      }
      forgetDeletion(user.uid);
      if (!keepSignedIn) noteSessionOnlyOwner(user.uid);
      await open(user);
      writeAccountPointer(user, keepSignedIn);
    } catch (error) {
      log('not-opened', reasonOf(error));
      if (owner?.data.uid === user.uid) await settle(leave('loading'));
      await settle(forgetSignIn(user.uid));
      throw error instanceof AuthError
        ? error
        : new AuthError('pawpals/not-stored', { cause: error });
    }
    if (keepSignedIn) forgetSessionOnlyOwner(user.uid);
    if (isLeftFromBefore && owner !== null) tell(deps.onFoundUnsent(owner.data));
    return user;
  };

  /** @param status as in {@link leave}; with one, somebody signs in, whom other noted erasures would sign out. */
  const erase = async (uid: string, status?: RequestStatus): Promise<void> => {
    beginErasure(uid);
    // The erasure queues for the lock before this page releases it, so that no worker gets it in between.
    const reserved = await reserveErasure(uid, deps).catch(() => undefined);
    try {
      await leave(status);
    } finally {
      // Another tab that has finished it does not reach the provider of this one.
      if (!(await finish(uid, reserved))) await settle(forgetSignIn(uid));
      if (status === undefined) await finishNoted(uid);
    }
  };

  const signOut = async (): Promise<void> => {
    if (owner !== null) await erase(owner.data.uid);
  };

  const deleteAccount = async (): Promise<void> => {
    if (owner === null) throw new AuthError('auth/no-current-user');
    const { uid } = owner.data;
    const auth = await deps.loadAuth();
    // A request that sync sends after the deletion would be refused.
    const resumeSync = await owner.pauseSync();
    const wasAskedBefore = isDeletionNoted(uid);
    try {
      noteDeletion(uid);
      await auth.deleteAccountOf(uid);
    } catch (error) {
      const isGone = error instanceof AuthError && error.code === 'auth/user-token-expired';
      // An earlier request, whose answer was lost, has deleted the account.
      if (!(wasAskedBefore && isGone)) {
        // Without an answer, the next attempt or a later start finds out.
        if (!isUnanswered(error)) forgetDeletion(uid);
        resumeSync();
        throw error;
      }
    }
    await erase(uid);
  };

  /**
   * Erases the data of an owner whose account was deleted while the tab was killed: the provider has no sign-in of them
   * any more. Without a connection, or while the data cannot be opened, a later start does so. What was not sent is kept,
   * because the sign-in may have ended for another reason after the request got lost.
   */
  const finishDeletion = async (uid: string): Promise<void> => {
    const token = await (await deps.loadAuth()).idTokenOf(uid, true);
    await queue.run(async () => {
      if (token !== null) forgetDeletion(uid);
      // They may have signed in again meanwhile.
      else if (isDeletionNoted(uid) && owner?.data.uid === uid) {
        if (!(await deps.hasUnsent(owner.data))) await erase(uid);
      }
    });
  };

  const tidy = async (): Promise<void> => {
    if (sessionOnlyOwners().length === 0) return;
    const sessions = await deps.loadSessionOnlySignIns();
    await sessions.clearEnded(owner?.data.uid ?? null);
  };

  /**
   * Signs out the owner again: the SDK of a tab that was just starting may have stored the sign-in after another tab's
   * sign-out.
   */
  const forgetSignIn = async (uid: string): Promise<void> => {
    const auth = await deps.loadAuth();
    await auth.ready();
    if (rememberedUser()?.uid !== uid) await auth.signOutOf(uid);
  };

  /** Follows another tab that has signed out or changed the owner. */
  const follow = async (): Promise<void> => {
    const user = rememberedUser();
    const left = owner?.data.uid;
    if (user?.uid === left) return;
    await leave();
    if (user === null) {
      if (left !== undefined) tell(forgetSignIn(left));
      return;
    }
    await open(user).catch(onReadError);
    setUser(user);
  };

  /** Follows another tab that erases the owner, or has erased them before they came back there. */
  const followErasure = async (uid: string): Promise<void> => {
    if (uid !== owner?.data.uid) return;
    clearSessionPointer();
    await leave();
    await follow();
    tell(forgetSignIn(uid));
  };

  const enqueue = (task: () => Promise<void>): void => {
    queue.run(task).catch((error: unknown) => log('not-followed', reasonOf(error)));
  };

  const auth: Auth = {
    signIn: (credentials) => queue.run(() => enter(credentials, (on) => on.signIn(credentials))),
    // It always makes another owner, so it is refused before the server creates the account.
    register: (credentials) =>
      queue.run(async () => {
        await refuseUnsent();
        return enter(credentials, (on) => on.register(credentials));
      }),
    prepareGoogle: async () => (await deps.loadAuth()).prepareGoogle(),
    // The request runs outside the queue until it succeeds: its window may stay open indefinitely, and must block
    // nothing.
    signInWithGoogle: async (choice, events) => {
      const user = await (await deps.loadAuth()).signInWithGoogle(choice, events);
      return queue.run(() => enter(choice, async () => user));
    },
    sendPasswordReset: async (email) => (await deps.loadAuth()).sendPasswordReset(email),
    confirmPasswordReset: async (reset) => (await deps.loadAuth()).confirmPasswordReset(reset),
  };

  /** Drops a sign-in for the browser session that has ended elsewhere: a duplicate of a tab has a copy of it. */
  const dropEndedSession = (): void => {
    const uid = readSessionPointer()?.uid;
    if (uid === undefined) return;
    if (sessionOnlyOwners().includes(uid) && !isErasureNoted(uid)) return;
    clearSessionPointer();
    tell(forgetSignIn(uid));
  };

  const start = async (): Promise<void> => {
    dropEndedSession();
    const user = readAccountPointer();
    if (user === null) {
      setUser(null);
      enqueue(() => finishNoted());
      return;
    }
    forgetErasure(user.uid);
    setUser(user);
    // The provider may answer late, and this owner's journal does not wait for the sign-outs of others.
    enqueue(() => finishNoted(user.uid));
    try {
      await open(user);
    } catch (error) {
      onReadError(error);
    }
    // The provider may answer late, and nothing waits for it.
    if (isDeletionNoted(user.uid)) tell(finishDeletion(user.uid));
  };

  return {
    session: {
      auth,
      signOut: () => queue.run(signOut),
      deleteAccount: () => queue.run(deleteAccount),
      syncNow: () => owner?.syncNow(),
    },
    start: () => {
      watchAccountPointer(() => enqueue(follow));
      watchErasure((uid) => enqueue(() => followErasure(uid)));
      return queue.run(start);
    },
    tidy: () => queue.run(tidy),
  };
}
