import { atom, type createStore } from 'jotai';
import type { RequestStatus, SignedInUser } from '../../../schemas/forms/account.ts';
import { createRequiredContext } from '../../lib/react/required-context.ts';
import type { Auth } from './auth.ts';

/** The signed-in user, as far as this device knows. Set by src/app and the account screens. */
export interface AuthState {
  readonly user: SignedInUser | null;
  readonly status: RequestStatus;
  /** A sentence for the owner; null when there is none. */
  readonly error: string | null;
  /** The status of the last request for a password reset. */
  readonly resetStatus: RequestStatus;
  /** A sentence for the owner, of success or failure; null when there is none. */
  readonly resetMessage: string | null;
  /** False until it is known whether somebody is signed in. */
  readonly initialized: boolean;
}

export const authStateAtom = atom<AuthState>({
  user: null,
  status: 'idle',
  error: null,
  resetStatus: 'idle',
  resetMessage: null,
  initialized: false,
});

/** Calls `onChange` when another owner, or none, is signed in. */
export function watchOwnerChange(
  store: ReturnType<typeof createStore>,
  onChange: () => void,
): void {
  let uid = store.get(authStateAtom).user?.uid;
  store.sub(authStateAtom, () => {
    const next = store.get(authStateAtom).user?.uid;
    if (next === uid) return;
    uid = next;
    onChange();
  });
}

/**
 * The state of sync over all tabs of this device.
 * - `starting`: sync has reported nothing since the app was opened.
 * - `offline`: the server was not reached, or the browser knows of no connection.
 * - `idle`: sync has nothing to do. If nothing is unsent, the interface shows "Synced".
 * - `problem`: sync retries by itself; `problem` is the reason, a code of replication's `RemoteError` or of the app. It
 *   stays during the retry, so that the remedy that the interface offers does not come and go.
 */
export interface SyncActivity {
  readonly phase: 'starting' | 'idle' | 'syncing' | 'offline' | 'problem';
  readonly problem: string | null;
}

export const syncActivityAtom = atom<SyncActivity>({ phase: 'starting', problem: null });

/** Actions on the whole session; src/app provides them. */
export interface Session {
  readonly auth: Auth;
  /** Ends the session and erases the owner's data on this device, unsent work too. Callers confirm first. */
  signOut(): Promise<void>;
  /**
   * Deletes the account, then its data on this device.
   * @throws {AuthError} `auth/no-current-user` if the provider knows no such user, `auth/requires-recent-login`.
   */
  deleteAccount(): Promise<void>;
  /** Requests a sync, and does not wait for it. */
  syncNow(): void;
}

export const { Provider: SessionProvider, useValue: useSession } =
  createRequiredContext<Session>('Session');
