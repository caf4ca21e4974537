import { createStore } from 'jotai';
import { expect, it } from 'vitest';
import { fakeData, nothingUnsent } from '../../../tests/support/fakes/fake-data.ts';
import { owner } from '../../../tests/support/setups/open-app.tsx';
import { authStateAtom } from '../../platform/auth/session.ts';
import { followBadge } from './follow-badge.ts';
import { dataAtom } from '../session/session-controller.ts';

function setUp() {
  const store = createStore();
  const data = fakeData();
  const shown: number[] = [];
  const setUser = (user: typeof owner | null) =>
    store.set(authStateAtom, (state) => ({ ...state, user, initialized: true }));
  setUser(owner);
  store.set(dataAtom, data);
  followBadge(store, {
    setAppBadge: async (count) => void shown.push(count),
    clearAppBadge: async () => void shown.push(0),
  });
  return { store, data, shown, setUser };
}

it('sets the badge to the number of unsent items, once for each change', () => {
  const { data, shown } = setUp();
  data.overview.set({ ...nothingUnsent, waitingCount: 2, parkedCount: 1 });
  data.overview.set({ ...nothingUnsent, waitingCount: 3 });
  data.overview.set({ ...nothingUnsent, waitingCount: 9, files: null });
  data.overview.set(nothingUnsent);
  expect(shown).toEqual([0, 3, 0]);
});

it('a sign-out takes the badge away; data that is opened anew does not', () => {
  const { store, data, shown, setUser } = setUp();
  data.overview.set({ ...nothingUnsent, waitingCount: 2 });
  store.set(dataAtom, null);
  expect(shown).toEqual([0, 2]);
  store.set(dataAtom, data);
  setUser(null);
  store.set(dataAtom, null);
  expect(shown).toEqual([0, 2, 0]);
  data.overview.set({ ...nothingUnsent, waitingCount: 5 });
  expect(shown).toEqual([0, 2, 0]);
});
