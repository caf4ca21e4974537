import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createFakeClock } from '../../../tests/support/fakes/fake-clock.ts';
import { deferred } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { AuthError, type Auth } from '../../platform/auth/auth.ts';
import { authStateAtom } from '../../platform/auth/session.ts';
import { clockAtom } from '../../platform/system-clock.ts';

const visitor = { user: null, status: 'idle' } as const;
const newPage = '/auth/set-new-password?mode=resetPassword&oobCode=0123';

function openVisit(path: string, requests: Partial<Auth> = {}) {
  return openApp({ path, auth: visitor, requests });
}

async function typeTwice(user: ReturnType<typeof openVisit>['user'], one: string, two = one) {
  await user.type(await screen.findByLabelText('Password'), one);
  await user.type(screen.getByLabelText('Confirm Password'), `${two}{Enter}`);
}

describe('asking for a new password', () => {
  it('keeps the e-mail typed before, shows that it is busy, then that the e-mail was sent', async () => {
    const answer = deferred<undefined>();
    const sendPasswordReset = vi.fn<Auth['sendPasswordReset']>(() => answer.promise);
    const { user, store } = openVisit('/auth/login', { sendPasswordReset });
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'sam@example.com');
    await user.click(screen.getByRole('link', { name: 'Forgot Password' }));
    await screen.findByRole('heading', { level: 1, name: 'Reset your password' });
    const email = screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' });
    expect(email.value).toBe('sam@example.com');

    await user.click(screen.getByRole('button', { name: 'Send reset link' }));
    expect(store.get(authStateAtom).resetStatus).toBe('loading');
    await user.click(screen.getByRole('button', { name: 'Sending...' }));
    expect(sendPasswordReset.mock.calls).toEqual([['sam@example.com']]);
    answer.resolve(undefined);
    await screen.findByText('Password reset email sent.');
    expect(store.get(authStateAtom)).toMatchObject({
      resetStatus: 'succeeded',
      resetMessage: 'Password reset email sent.',
    });
  });

  it('asks for the e-mail', async () => {
    const { user } = openVisit('/auth/reset-password');
    await user.click(await screen.findByRole('button', { name: 'Send reset link' }));
    expect(screen.getByText('Email is required')).toBeDefined();
  });

  it.each([
    ['auth/invalid-email', 'This does not look like an email address.'],
    ['auth/network-request-failed', 'Sending the email needs a connection. What you typed stays'],
    ['auth/internal-error', 'Something went wrong.'],
  ])('explains %s', async (code, sentence) => {
    const { user, store } = openVisit('/auth/reset-password', {
      sendPasswordReset: () => Promise.reject(new AuthError(code)),
    });
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'a@b{Enter}');
    expect((await screen.findByRole('alert')).textContent).toContain(sentence);
    expect(store.get(authStateAtom).resetStatus).toBe('failed');
    await user.clear(screen.getByRole('textbox', { name: 'Email' }));
    await user.click(screen.getByRole('button', { name: 'Send reset link' }));
    expect(screen.getByRole('alert').textContent).toBe('Email is required');
  });
});

it('a failure to set a password is not shown on the page that asks for a new link', async () => {
  const answer = deferred<undefined>();
  const { user, store } = openVisit(newPage, { confirmPasswordReset: () => answer.promise });
  await typeTwice(user, 'Walkies-4-all');
  expect(store.get(authStateAtom).resetStatus).toBe('loading');
  await user.click(screen.getByRole('link', { name: 'Ask for a new link' }));
  await screen.findByRole('heading', { level: 1, name: 'Reset your password' });
  await act(async () => answer.reject(new AuthError('auth/network-request-failed')));
  expect(store.get(authStateAtom)).toMatchObject({ resetStatus: 'idle', resetMessage: null });
  expect(screen.queryByRole('alert')).toBeNull();
});

it('a signed-in owner whose link is too old can ask for a new one', async () => {
  openApp({ path: '/auth/reset-password' });
  expect(await screen.findByRole('button', { name: 'Send reset link' })).toBeDefined();
});

it('the page says the same of an email that the server does not know', async () => {
  const { user } = openVisit('/auth/reset-password', {
    sendPasswordReset: () => Promise.reject(new AuthError('auth/user-not-found')),
  });
  await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'sam@example.com{Enter}');
  expect(await screen.findByText('Password reset email sent.')).toBeDefined();
});

describe('setting a new password', () => {
  it('says so when the address has no code, and asks for nothing then', async () => {
    openVisit('/auth/set-new-password?oobCode=%20');
    expect((await screen.findByRole('alert')).textContent).toBe('Invalid or missing reset code');
    expect(screen.queryByRole('button')).toBeNull();
  });

  it('takes the code of the link that was opened last', async () => {
    const confirmPasswordReset = vi.fn<Auth['confirmPasswordReset']>(async () => undefined);
    const { user, goTo } = openVisit(newPage, { confirmPasswordReset });
    await screen.findByRole('heading', { level: 1, name: 'Set a new password' });
    act(() => goTo('/auth/set-new-password?mode=resetPassword&oobCode=4567'));
    await typeTwice(user, 'Walkies-4-all');
    await screen.findByText(/Your new password is set/);
    expect(confirmPasswordReset.mock.calls[0]?.[0].code).toBe('4567');
  });

  it('wants it twice the same', async () => {
    const confirmPasswordReset = vi.fn<Auth['confirmPasswordReset']>();
    const { user } = openVisit(newPage, { confirmPasswordReset });
    await typeTwice(user, 'Walkies-4-all', 'Walkies-4-al');
    expect(screen.getByText('Passwords do not match')).toBeDefined();
    expect(confirmPasswordReset).not.toHaveBeenCalled();
  });

  it.each([
    ['auth/expired-action-code', 'This link has been used or is too old. Ask for a new one.'],
    ['auth/weak-password', 'This password is too easy to guess. Choose a longer one.'],
    ['auth/internal-error', 'Something went wrong.'],
  ])('explains %s, and stays on the page', async (code, sentence) => {
    const { user, path } = openVisit(newPage, {
      confirmPasswordReset: () => Promise.reject(new AuthError(code)),
    });
    await typeTwice(user, 'Walkies-4-all');
    expect((await screen.findByRole('alert')).textContent).toBe(sentence);
    expect(path()).toBe(newPage);
  });

  it('gives the code as it is, says that it was set, and leads to the sign-in 3 seconds later', async () => {
    const clock = createFakeClock();
    const confirmPasswordReset = vi.fn<Auth['confirmPasswordReset']>(async () => undefined);
    const { user, store, path } = openVisit(newPage, { confirmPasswordReset });
    store.set(clockAtom, clock);
    await typeTwice(user, 'Walkies-4-all');
    await screen.findByText(/Your new password is set/);
    expect(confirmPasswordReset.mock.calls).toEqual([
      [{ code: '0123', password: 'Walkies-4-all' }],
    ]);
    await act(() => clock.advance(2_999));
    expect(path()).toBe(newPage);
    const alerts: string[] = [];
    const watcher = new MutationObserver(() => {
      alerts.push(...screen.queryAllByRole('alert').map(({ textContent }) => textContent));
    });
    watcher.observe(document.body, { subtree: true, childList: true });
    await act(() => clock.advance(1));
    await waitFor(() => expect(path()).toBe('/auth/login'));
    await screen.findByRole('heading', { level: 1, name: /^Sign in/ });
    watcher.disconnect();
    expect(alerts).toEqual([]);
  });

  it('works for who is signed in, who goes on to their dogs', async () => {
    const clock = createFakeClock();
    const { user, store, path } = openApp({ path: newPage });
    store.set(clockAtom, clock);
    await typeTwice(user, 'Walkies-4-all');
    await screen.findByText(/Your new password is set/);
    await act(() => clock.advance(3_000));
    await waitFor(() => expect(path()).toBe('/pets'));
  });
});
