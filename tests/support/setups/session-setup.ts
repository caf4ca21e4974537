import { createStore } from 'jotai';
import { vi } from 'vitest';
import { lockName } from '../../../replication/connectivity/lock-name.ts';
import type { ErasureOutcome } from '../../../store/erase.ts';
import type { SignedInUser } from '../../../schemas/forms/account.ts';
import {
  createSessionOnlySignIns,
  type SessionLocks,
} from '../../../src/app/session/session-only-sign-in.ts';
import {
  createSessionController,
  dataAtom,
  type SessionControllerDeps,
} from '../../../src/app/session/session-controller.ts';
import { AuthError } from '../../../src/platform/auth/auth.ts';
import type { FirebaseAuthService } from '../../../src/platform/auth/firebase-auth.ts';
import { authStateAtom } from '../../../src/platform/auth/session.ts';
import { pendingErasures } from '../../../src/platform/storage/pending-erasure.ts';
import { fakeData } from '../fakes/fake-data.ts';

export const robin: SignedInUser = { uid: 'robin', email: 'robin@example.com', displayName: null };
export const ben: SignedInUser = { uid: 'ben', email: 'ben@example.com', displayName: null };

export const credentialsOf = ({ email }: SignedInUser, keepSignedIn = true) => ({
  email: email ?? '',
  password: 'x',
  keepSignedIn,
});

/** The state of the device that survives the page; each `setUp` is the next start of the app. */
export interface Device {
  /** The owners with databases on the device. */
  readonly databases: Set<string>;
  /** The uid of the user whom the identity provider considers signed in. */
  provider: string | null;
  erasure: ErasureOutcome;
  /** The owners with unsent data on the device. */
  readonly unsent: Set<string>;
  /** The owners of items that other apps shared. */
  readonly shares: Set<string>;
  /** The owners whose data cannot be read. */
  readonly unreadable: Set<string>;
  /** The locks that open tabs hold. */
  readonly held: Set<string>;
}

/** The device of the test that runs now. */
export let device: Device;

/** The part of the Web Locks API that sessions use. A shared lock is held until its tab is closed. */
const locks: SessionLocks = {
  request: async (name, { mode }, work) => {
    if (mode !== 'shared') return work(device.held.has(name) ? null : { name });
    device.held.add(name);
    return work({ name });
  },
};

/** Starts the app on the device. */
export function setUp(overrides: Partial<FirebaseAuthService> = {}) {
  const steps: string[] = [];
  const store = createStore();
  const enter = async ({ email }: { email: string }): Promise<SignedInUser> => {
    const user = [robin, ben].find((known) => known.email === email) ?? robin;
    device.provider = user.uid;
    return user;
  };
  const auth: FirebaseAuthService = {
    signIn: enter,
    register: enter,
    prepareGoogle: async () => undefined,
    signInWithGoogle: async () => robin,
    sendPasswordReset: async () => undefined,
    confirmPasswordReset: async () => undefined,
    ready: async () => undefined,
    isSignedInAs: (uid) => device.provider === uid,
    idTokenOf: async (uid) => (device.provider === uid ? 'token' : null),
    watch: () => () => undefined,
    signOutOf: async (uid) => {
      steps.push(`provider forgets ${uid}`);
      if (device.provider === uid) device.provider = null;
    },
    deleteAccountOf: async (uid) => {
      if (device.provider !== uid) throw new AuthError('auth/no-current-user');
      steps.push(`provider deletes ${uid}`);
      device.provider = null;
    },
    ...overrides,
  };
  const log = vi.fn<SessionControllerDeps['log']>();
  const open: string[] = [];
  const openOwner = vi.fn<SessionControllerDeps['openOwner']>(async ({ uid, visit }) => {
    if (open.includes(uid)) throw new Error(`${uid} is open already`);
    open.push(uid);
    device.databases.add(uid);
    return {
      data: { ...fakeData(), uid, visit },
      syncNow: () => undefined,
      pauseSync: async () => {
        steps.push(`paused ${uid}`);
        return () => steps.push(`resumed ${uid}`);
      },
      close: async () => {
        await Promise.resolve();
        open.splice(open.indexOf(uid), 1);
        steps.push(`closed ${uid}`);
      },
    };
  });
  const eraseDatabase = async (uid: string): Promise<ErasureOutcome> => {
    steps.push(`erase ${uid}`);
    if (device.erasure === 'erased') device.databases.delete(uid);
    return device.erasure;
  };
  const queueErasure: SessionControllerDeps['queueErasure'] = async (uid, isStillNoted) => {
    device.held.add(lockName(uid));
    return async () => {
      device.held.delete(lockName(uid));
      return isStillNoted() ? eraseDatabase(uid) : 'called-off';
    };
  };
  const controller = createSessionController({
    store,
    log,
    loadAuth: async () => auth,
    loadSync: () => Promise.reject(new Error('not used here')),
    readOrganizations: async () => [],
    queueErasure,
    eraseShares: async () => undefined,
    openOwner,
    loadSessionOnlySignIns: async () =>
      createSessionOnlySignIns({
        locks,
        log,
        eraseDatabase,
        eraseShares: async (uid) => void device.shares.delete(uid),
        hasUnsent: async (uid) => {
          if (device.unreadable.has(uid)) throw new Error('unreadable');
          return device.unsent.has(uid);
        },
      }),
    onOpened: async () => undefined,
    hasUnsent: async ({ uid }) => device.unsent.has(uid),
    onFoundUnsent: async ({ uid }) => void steps.push(`told ${uid} what was not sent`),
  });
  const shown = () => ({
    user: store.get(authStateAtom).user?.uid ?? null,
    data: store.get(dataAtom)?.uid ?? null,
  });
  return { store, controller, session: controller.session, auth, openOwner, shown, steps, log };
}

/** Returns the owners whose erasure is noted. */
export const erasing = (): readonly string[] =>
  pendingErasures()
    .map(({ uid }) => uid)
    .toSorted();

/** Starts the app on the device, and waits until it has tried to finish the erasures that are noted. */
export async function startAndErase(overrides?: Partial<FirebaseAuthService>) {
  const app = setUp(overrides);
  await app.controller.start();
  await app.controller.tidy();
  return app;
}

/** Replaces the device by an unused one. */
export function resetDevice(): void {
  localStorage.clear();
  sessionStorage.clear();
  device = {
    databases: new Set(),
    provider: null,
    erasure: 'erased',
    unsent: new Set(),
    shares: new Set(),
    unreadable: new Set(),
    held: new Set(),
  };
}
