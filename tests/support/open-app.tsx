import { createMemoryHistory, createRouter, RouterProvider } from '@tanstack/react-router';
import { render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { createStore, Provider as JotaiProvider } from 'jotai';
import type { SignedInUser } from '../../schemas/account.ts';
import { DataProvider } from '../../src/data/data-context.ts';
import type { Auth } from '../../src/platform/auth.ts';
import {
  authStateAtom,
  SessionProvider,
  syncActivityAtom,
  type AuthState,
  type SyncActivity,
} from '../../src/platform/session.ts';
import { routeTree } from '../../src/routeTree.gen.ts';
import { fakeData, type FakeData } from './fake-data.ts';

export const owner: SignedInUser = {
  uid: 'owner',
  email: 'sam@example.com',
  displayName: 'Sam Reed',
};

export interface OpenAppOptions {
  readonly path: string;
  readonly data?: FakeData;
  readonly auth?: Partial<AuthState>;
  readonly activity?: SyncActivity;
  readonly requests?: Partial<Auth>;
}

export interface OpenedApp {
  readonly user: UserEvent;
  readonly data: FakeData;
  readonly store: ReturnType<typeof createStore>;
  /** Where one is now. */
  readonly path: () => string;
  readonly goTo: (path: string) => void;
  /** What was asked of the session, in order. */
  readonly asked: readonly string[];
}

/** All screens on data in memory, opened at a path by a signed-in owner, unless told otherwise. */
export function openApp(options: OpenAppOptions): OpenedApp {
  const { path, data = fakeData(), activity = { phase: 'idle', problem: null } } = options;
  const store = createStore();
  const asked: string[] = [];
  store.set(authStateAtom, {
    user: owner,
    status: 'succeeded',
    error: null,
    initialized: true,
    ...options.auth,
  });
  store.set(syncActivityAtom, activity);
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createRouter({ routeTree, history, context: { store } });

  const signOut = async (): Promise<void> => {
    asked.push('sign-out');
    store.set(authStateAtom, { user: null, status: 'idle', error: null, initialized: true });
    await router.invalidate();
  };
  const enter = () => Promise.resolve(owner);
  const auth: Auth = { signIn: enter, register: enter, ...options.requests };
  const syncNow = (): void => {
    asked.push('sync-now');
  };

  render(
    <JotaiProvider store={store}>
      <SessionProvider value={{ auth, signOut, syncNow }}>
        <DataProvider value={data}>
          <RouterProvider router={router} />
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
  };
}
