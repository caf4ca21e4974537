import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeData, petRow } from '../../../tests/support/fakes/fake-data.ts';
import { openApp, owner } from '../../../tests/support/setups/open-app.tsx';
import { authStateAtom, syncActivityAtom } from '../../platform/auth/session.ts';

const visitor = { user: null, status: 'idle' } as const;

async function signIn(user: ReturnType<typeof openApp>['user']): Promise<void> {
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'sam@example.com');
  await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
}

describe('a visitor', () => {
  it('signs in first, and is then led to where they wanted to go', async () => {
    const data = fakeData();
    data.pets.set([petRow('pet', 'Bramble')]);
    const { user, path } = openApp({ path: '/pets/pet/profile', data, auth: visitor });
    await signIn(user);
    await screen.findByRole('heading', { level: 1, name: 'Bramble' });
    expect(path()).toBe('/pets/pet/profile');
    expect(sessionStorage).toHaveLength(0);
  });

  it('is led there also if the code of another page was preloaded meanwhile', async () => {
    const data = fakeData();
    data.pets.set([petRow('pet', 'Bramble')]);
    const { user, path, router } = openApp({ path: '/pets/pet/profile', data, auth: visitor });
    await screen.findByRole('textbox', { name: 'Email' });
    await router.preloadRoute({ to: '/pets' });
    await signIn(user);
    await waitFor(() => expect(path()).toBe('/pets/pet/profile'));
  });

  it('starts at their own dogs after registering, whatever page they wanted', async () => {
    const { user, path } = openApp({ path: '/pets/pet/profile', auth: visitor });
    await user.click(await screen.findByRole('link', { name: 'Sign up' }));
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'sam@example.com');
    await user.type(screen.getByLabelText('Password'), 'Walkies-4-all');
    await user.type(screen.getByLabelText('Confirm Password'), 'Walkies-4-all{Enter}');
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    expect(path()).toBe('/pets');
    expect(sessionStorage).toHaveLength(0);
  });

  it('sees a skeleton until the sign-in state is known', async () => {
    const { store, path } = openApp({
      path: '/pets',
      auth: { ...visitor, initialized: false },
    });
    await waitFor(() => expect(document.querySelector('[aria-busy]')).not.toBeNull());
    expect(screen.queryByRole('heading')).toBeNull();
    act(() => store.set(authStateAtom, (state) => ({ ...state, user: owner, initialized: true })));
    await screen.findByRole('heading', { name: 'My Dogs' });
    expect(path()).toBe('/pets');
  });
});

describe('an owner', () => {
  it.each(['/', '/auth/login', '/auth/register', '/nowhere', '/pets/pet', '/pets/pet/nowhere'])(
    'who goes to %s arrives at their dogs',
    async (from) => {
      const { path } = openApp({ path: from });
      await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
      expect(path()).toBe('/pets');
    },
  );

  it('whose sign-in has ended goes to the sign-in page, also while sync tries again', async () => {
    const { user, store, path } = openApp({ path: '/pets' });
    const status = await screen.findByRole('button', { name: /Sync details/ });
    act(() => store.set(syncActivityAtom, { phase: 'problem', problem: 'unauthenticated' }));
    await user.click(status);
    const again = await screen.findByRole('link', { name: 'Sign in again' });
    act(() => store.set(syncActivityAtom, { phase: 'syncing', problem: 'unauthenticated' }));
    await user.click(again);
    const email = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Email' });
    expect(email.value).toBe(owner.email);
    expect(path()).toBe('/auth/login');
  });

  it('whose account is gone is led to the sign-out, which asks for what was not sent', async () => {
    const { user, store, path } = openApp({ path: '/pets' });
    await user.click(await screen.findByRole('button', { name: /Sync details/ }));
    await screen.findByRole('dialog');
    expect(screen.queryByRole('link', { name: 'sign out in Settings' })).toBeNull();
    act(() => store.set(syncActivityAtom, { phase: 'problem', problem: 'unauthenticated' }));
    await user.click(await screen.findByRole('link', { name: 'sign out in Settings' }));
    await screen.findByRole('button', { name: 'Sign Out' });
    expect(path()).toBe('/settings');
  });

  it('sees nothing while the open data is of somebody else', async () => {
    const data = { ...fakeData(), uid: 'somebody else' };
    openApp({ path: '/pets', data });
    await waitFor(() => expect(document.querySelector('[aria-busy]')).not.toBeNull());
    expect(screen.queryByRole('heading')).toBeNull();
  });
});
