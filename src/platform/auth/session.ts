import { atom } from 'jotai';
import type { RequestStatus, SignedInUser } from '../../../schemas/forms/account.ts';
import { createRequiredContext } from '../../lib/react/required-context.ts';
import type { Auth } from './auth.ts';

/** Who is signed in, as far as this device knows. Set by src/app and the account screens. */
export interface AuthState {
  readonly user: SignedInUser | null;
  readonly status: RequestStatus;
  /** A sentence for the owner; null when there is none. */
  readonly error: string | null;
  /** Of the last request for a password reset. */
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

/**
 * What sync is doing, over all tabs of this device.
 * - `starting`: it has not said anything yet; nothing was compared with the server since the app was opened.
 * - `offline`: the server was not reached, or the browser knows of no connection.
 * - `idle`: nothing to do. Together with nothing waiting it reads "Synced".
 * - `problem`: it will be tried again by itself; `problem` says why, as a code of replication's `RemoteError` or of ours.
 */
export interface SyncActivity {
  readonly phase: 'starting' | 'idle' | 'syncing' | 'offline' | 'problem';
  readonly problem: string | null;
}

export const syncActivityAtom = atom<SyncActivity>({ phase: 'starting', problem: null });

/** Actions on the whole session; src/app provides them. */
export interface Session {
  readonly auth: Auth;
  /** Ends the session and erases what this owner had on the device, unsent work too: ask first. */
  signOut(): Promise<void>;
  /**
   * Deletes the account, and then what this device has of it.
   * @throws {AuthError} `auth/no-current-user` without a user the provider knows, `auth/requires-recent-login`.
   */
  deleteAccount(): Promise<void>;
  /** Starts a sync without waiting for a hint. Resolves when it has been asked for, not when it is done. */
  syncNow(): void;
}

export const { Provider: SessionProvider, useValue: useSession } =
  createRequiredContext<Session>('Session');
