import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { openApp, owner } from '../../../../tests/support/setups/open-app.tsx';
import { AuthError, type Auth } from '../../../platform/auth/auth.ts';
import { authStateAtom } from '../../../platform/auth/session.ts';

const visitor = { user: null, status: 'idle' } as const;

async function openLogin(requests: Partial<Auth>) {
  const app = openApp({ path: '/auth/login', auth: visitor, requests });
  await screen.findByRole('heading', { level: 1, name: 'Sign in' });
  return app;
}

function pressGoogle({ user }: Pick<Awaited<ReturnType<typeof openLogin>>, 'user'>) {
  return user.click(screen.getByRole('button', { name: 'Sign in with Google' }));
}

describe('Sign in with Google', () => {
  it('has its code ready soon after the page, before the press, and signs in for as long as the box says', async () => {
    const prepareGoogle = vi.fn<Auth['prepareGoogle']>(() => Promise.resolve());
    const signInWithGoogle = vi.fn<Auth['signInWithGoogle']>(() => Promise.resolve(owner));
    const app = await openLogin({ prepareGoogle, signInWithGoogle });
    await waitFor(() => expect(prepareGoogle).toHaveBeenCalledOnce());
    await app.user.click(await screen.findByRole('checkbox', { name: 'Keep me signed in' }));
    await pressGoogle(app);
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    expect(signInWithGoogle.mock.calls).toEqual([
      [
        { keepSignedIn: false },
        { onClosed: expect.any(Function), onNewAccount: expect.any(Function) },
      ],
    ]);
  });

  it('says nothing when its window was closed', async () => {
    const signInWithGoogle = () => Promise.reject(new AuthError('auth/popup-closed-by-user'));
    const app = await openLogin({ signInWithGoogle });
    await pressGoogle(app);
    await waitFor(() => expect(app.store.get(authStateAtom).status).toBe('idle'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('lets go of the form as soon as its window is closed, and heeds no answer that says so later', async () => {
    let fail: (error: AuthError) => void = () => undefined;
    const signInWithGoogle: Auth['signInWithGoogle'] = (_choice, { onClosed }) => {
      onClosed();
      return new Promise((_resolve, reject) => (fail = reject));
    };
    const signIn = () => new Promise<never>(() => undefined);
    const app = await openLogin({ signInWithGoogle, signIn });
    await pressGoogle(app);
    await app.user.type(screen.getByRole('textbox', { name: 'Email' }), 'robin@example.com');
    await app.user.type(screen.getByLabelText('Password'), 'Walkies-4-all');
    await app.user.click(screen.getByRole('button', { name: 'Sign in' }));
    await screen.findByRole('button', { name: 'Logging in...' });
    await act(async () => fail(new AuthError('auth/popup-closed-by-user')));
    expect(screen.getByRole('button', { name: 'Logging in...' })).toBeDefined();
  });

  it('says so when the browser blocked its window', async () => {
    const signInWithGoogle = () => Promise.reject(new AuthError('auth/popup-blocked'));
    const app = await openLogin({ signInWithGoogle });
    await pressGoogle(app);
    expect((await screen.findByRole('alert')).textContent).toContain('Allow pop-up windows');
  });

  it('says with the press, and not before, that its code could not be loaded', async () => {
    const offline = () => Promise.reject(new AuthError('auth/network-request-failed'));
    const app = await openLogin({ prepareGoogle: offline, signInWithGoogle: offline });
    expect(screen.queryByRole('alert')).toBeNull();
    await pressGoogle(app);
    expect((await screen.findByRole('alert')).textContent).toContain('needs a connection');
  });
});
