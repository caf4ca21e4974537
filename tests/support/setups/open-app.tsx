import { createMemoryHistory, RouterProvider, type RouterHistory } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { createStore, Provider as JotaiProvider } from 'jotai';
import { useEffect } from 'react';
import type { Log } from '../../../replication/ports.ts';
import type { SignedInUser } from '../../../schemas/forms/account.ts';
import { createAppRouter } from '../../../src/app/router.ts';
import { ignoreRepeatedPresses } from '../../../src/lib/dom/repeated-presses.ts';
import { DataProvider } from '../../../src/data/data-context.ts';
import type { Auth } from '../../../src/platform/auth/auth.ts';
import {
  authStateAtom,
  SessionProvider,
  syncActivityAtom,
  type AuthState,
  type SyncActivity,
} from '../../../src/platform/auth/session.ts';
import { fakeData, type FakeData } from '../fakes/fake-data.ts';

export const owner: SignedInUser = {
  uid: 'owner',
  email: 'sam@example.com',
  displayName: 'Sam Reed',
};

export interface OpenAppOptions {
  readonly path: string;
  readonly data?: FakeData;
  readonly auth?: Partial<AuthState>;
  readonly log?: Log;
  readonly activity?: SyncActivity;
  readonly requests?: Partial<Auth>;
  /** The provider's deletion of the account; it succeeds if absent. */
  readonly deleteAccount?: () => Promise<void>;
  /** Settles when a sign-out has cleared the device; at once if absent. */
  readonly cleared?: Promise<unknown>;
}

export interface OpenedApp {
  readonly user: UserEvent;
  readonly data: FakeData;
  readonly store: ReturnType<typeof createStore>;
  /** Returns the current path. */
  readonly path: () => string;
  readonly goTo: (path: string) => void;
  readonly history: RouterHistory;
  readonly router: ReturnType<typeof createAppRouter>;
  /** The calls to the session, in order. */
  readonly asked: readonly string[];
}

function fakeAuth(requests: Partial<Auth> = {}): Auth {
  const enter = () => Promise.resolve(owner);
  const done = () => Promise.resolve();
  return {
    signIn: enter,
    register: enter,
    prepareGoogle: done,
    signInWithGoogle: enter,
    sendPasswordReset: done,
    confirmPasswordReset: done,
    ...requests,
  };
}

/** Opens the app on data in memory at a path, with a signed-in owner unless the options say otherwise. */
export function openApp(options: OpenAppOptions): OpenedApp {
  const {
    path,
    data = fakeData(),
    log = () => undefined,
    activity = { phase: 'idle', problem: null },
  } = options;
  const store = createStore();
  const asked: string[] = [];
  store.set(authStateAtom, {
    user: owner,
    status: 'succeeded',
    error: null,
    resetStatus: 'idle',
    resetMessage: null,
    initialized: true,
    ...options.auth,
  });
  store.set(syncActivityAtom, activity);
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createAppRouter({ store, history, log });

  const leave = async (): Promise<void> => {
    store.set(authStateAtom, (state) => ({ ...state, user: null, status: 'idle', error: null }));
    await router.invalidate();
  };
  const signOut = async (): Promise<void> => {
    asked.push('sign-out');
    await leave();
    await options.cleared;
  };
  const deleteAccount = async (): Promise<void> => {
    asked.push('delete-account');
    await options.deleteAccount?.();
    await leave();
  };
  const auth = fakeAuth(options.requests);
  const syncNow = (): void => {
    asked.push('sync-now');
  };

  /** Ignores repeated presses like the page of the app, as long as it is rendered. */
  const SinglePresses = (): null => {
    useEffect(() => ignoreRepeatedPresses(document, () => router.state.location.href), []);
    return null;
  };

  render(
    <JotaiProvider store={store}>
      <SessionProvider value={{ auth, signOut, deleteAccount, syncNow }}>
        <DataProvider value={data}>
          <RouterProvider router={router} />
          <SinglePresses />
        </DataProvider>
      </SessionProvider>
    </JotaiProvider>,
  );
  return {
    user: userEvent.setup(),
    data,
    store,
    asked,
    path: () => router.state.location.href,
    goTo: (to) => history.push(to),
    history,
    router,
  };
}
