import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { passwordRule } from '../../../schemas/copy/form-copy.ts';
import { deferred } from '../../../tests/support/fakes/fake-data.ts';
import { openApp, owner } from '../../../tests/support/setups/open-app.tsx';
import { AuthError, type Auth } from '../../platform/auth/auth.ts';
import { authStateAtom } from '../../platform/auth/session.ts';

const visitor = { user: null, status: 'idle' } as const;

function openLogin(requests: Partial<Auth> = {}, path = '/auth/login') {
  return openApp({ path, auth: visitor, requests });
}

function describedBy(field: HTMLElement): string | undefined {
  const id = field.getAttribute('aria-describedby');
  return id === null ? undefined : document.querySelector(`[id="${id}"]`)?.textContent;
}

describe('the sign-in page', () => {
  it('names each missing field, and focuses the first', async () => {
    const { user } = openLogin();
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    await user.click(screen.getByRole('button', { name: 'Sign in' }));
    const email = screen.getByRole('textbox', { name: 'Email' });
    expect(describedBy(email)).toBe('Email is required');
    expect(describedBy(screen.getByLabelText('Password'))).toBe('Password is required');
    expect(document.activeElement).toBe(email);
    await user.type(email, 'a');
    expect(describedBy(email)).toBeUndefined();
  });

  it('signs in, kept signed in unless that is unticked, and says that it is busy', async () => {
    const answer = deferred<typeof owner>();
    const signIn = vi.fn<Auth['signIn']>(() => answer.promise);
    const { user, store } = openLogin({ signIn });
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), ' sam@example.com ');
    await user.type(screen.getByLabelText('Password'), 'secret');
    const keep = screen.getByRole<HTMLInputElement>('checkbox', { name: 'Keep me signed in' });
    expect(keep.checked).toBe(true);
    expect(screen.getByText('On this device, until you sign out.')).toBeDefined();
    await user.click(keep);
    expect(screen.getByText('Until this tab is closed.')).toBeDefined();
    expect(screen.getByText('What that means').closest('details')?.open).toBe(false);
    expect(screen.getByText(/nothing syncs in the background/)).toBeDefined();
    screen.getByRole('button', { name: 'Sign in' }).focus();
    await user.keyboard('{Enter}');
    expect(screen.getByRole('button', { name: 'Logging in...' })).toBeDefined();
    expect(store.get(authStateAtom).status).toBe('loading');
    await user.click(screen.getByRole('button', { name: 'Logging in...' }));
    expect(signIn).toHaveBeenCalledTimes(1);
    expect(signIn).toHaveBeenCalledWith({
      email: 'sam@example.com',
      password: 'secret',
      keepSignedIn: false,
    });
    answer.resolve(owner);
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    expect(store.get(authStateAtom)).toMatchObject({ status: 'succeeded', user: owner });
  });

  it.each([
    ['auth/invalid-credential', 'This email and password do not belong together.'],
    ['auth/wrong-password', 'This email and password do not belong together.'],
    ['auth/user-not-found', 'This email and password do not belong together.'],
    ['auth/too-many-requests', 'Too many attempts. Wait a few minutes, then try again.'],
    ['auth/user-disabled', 'This account has been switched off.'],
    [
      'pawpals/other-unsent',
      'This device has unsent work of another account. Sign out of that in Settings first.',
    ],
    [
      'auth/network-request-failed',
      'Signing in needs a connection. What you typed stays here until there is one.',
    ],
    ['auth/internal-error', 'Something went wrong. Please try again.'],
  ])('turns %s into a sentence, and keeps the typed text', async (code, sentence) => {
    const { user, store } = openLogin({ signIn: () => Promise.reject(new AuthError(code)) });
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'sam@example.com');
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    expect((await screen.findByRole('alert')).textContent).toBe(sentence);
    expect(store.get(authStateAtom)).toMatchObject({ status: 'failed', error: sentence });
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('secret');
  });

  it('forgets its failure when the next attempt fails the check of the fields', async () => {
    const { user } = openLogin({
      signIn: () => Promise.reject(new AuthError('auth/internal-error')),
    });
    const email = await screen.findByRole('textbox', { name: 'Email' });
    await user.type(email, 'sam@example.com');
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    await screen.findByText('Something went wrong. Please try again.');
    await user.clear(email);
    await user.type(email, 'sam{Enter}');
    expect(screen.getAllByRole('alert').map(({ textContent }) => textContent)).toEqual([
      'This does not look like an email address.',
    ]);
  });

  it('shows no failure on the next page that ends there', async () => {
    const answer = deferred<typeof owner>();
    const { user, store } = openLogin({ signIn: () => answer.promise });
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'sam@example.com');
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    await user.click(screen.getByRole('link', { name: 'Sign up' }));
    await screen.findByRole('heading', { level: 1, name: 'Create your account' });
    await act(async () => answer.reject(new AuthError('auth/network-request-failed')));
    await waitFor(() => expect(store.get(authStateAtom).status).toBe('idle'));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('does not show the failure of this page on the next one', async () => {
    const signIn = () => Promise.reject(new AuthError('auth/invalid-credential'));
    const { user } = openLogin({ signIn });
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'sam@example.com');
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    await screen.findByRole('alert');
    await user.click(screen.getByRole('link', { name: 'Sign up' }));
    await screen.findByRole('heading', { level: 1, name: 'Create your account' });
    expect(screen.queryByRole('alert')).toBeNull();
  });
});

describe('the register page', () => {
  it.each([
    {
      password: '',
      problem: 'Password is required',
      confirmProblem: 'Please confirm your password',
    },
    {
      password: 'lowercase1!',
      confirmed: 'lowercase1!',
      problem:
        'Must be at least 6 characters and include uppercase, lowercase, number, and special character',
    },
    {
      password: 'Walkies-4-all',
      confirmed: 'Walkies-4-al',
      confirmProblem: 'Passwords do not match',
    },
  ])('describes the problem with $password and $confirmed', async (row) => {
    const { password, confirmed = '', problem, confirmProblem } = row;
    const { user } = openLogin({}, '/auth/register');
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'sam@example.com');
    const passwordBox = screen.getByLabelText('Password');
    const confirmBox = screen.getByLabelText('Confirm Password');
    if (password !== '') await user.type(passwordBox, password);
    if (confirmed !== '') await user.type(confirmBox, confirmed);
    await user.click(screen.getByRole('button', { name: 'Sign up' }));
    expect(describedBy(passwordBox)).toBe(problem ?? passwordRule);
    expect(describedBy(confirmBox)).toBe(confirmProblem);
    expect(document.activeElement).toBe(problem === undefined ? confirmBox : passwordBox);
  });

  it('forgets that an account exists when the next email is none', async () => {
    const register = () => Promise.reject(new AuthError('auth/email-already-in-use'));
    const { user } = openLogin({ register }, '/auth/register');
    const email = await screen.findByRole('textbox', { name: 'Email' });
    await user.type(email, 'sam@example.com');
    await user.type(screen.getByLabelText('Password'), 'Walkies-4-all');
    await user.type(screen.getByLabelText('Confirm Password'), 'Walkies-4-all{Enter}');
    await screen.findByText('There is an account with this email already. Sign in instead.');
    await user.clear(email);
    await user.type(email, 'sam{Enter}');
    expect(screen.getAllByRole('alert')).toHaveLength(1);
  });

  it('tells the rule of passwords before one is typed', async () => {
    openLogin({}, '/auth/register');
    const passwordBox = await screen.findByLabelText('Password');
    expect(describedBy(passwordBox)).toBe(passwordRule);
    expect(passwordBox.getAttribute('aria-invalid')).toBe('false');
  });

  it('registers', async () => {
    const register = vi.fn<Auth['register']>(() => Promise.resolve(owner));
    const { user } = openLogin({ register }, '/auth/register');
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'sam@example.com');
    await user.type(screen.getByLabelText('Password'), 'Walkies-4-all');
    await user.type(screen.getByLabelText('Confirm Password'), 'Walkies-4-all{Enter}');
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    expect(register).toHaveBeenCalledWith({
      email: 'sam@example.com',
      password: 'Walkies-4-all',
      keepSignedIn: true,
    });
  });

  it.each(['Sign up', 'Forgot Password'])('%s is a step, so Back leads back', async (name) => {
    const { user, history } = openLogin();
    await user.click(await screen.findByRole('link', { name }));
    await waitFor(() => expect(screen.queryByRole('link', { name })).toBeNull());
    act(() => history.back());
    expect(await screen.findByRole('heading', { level: 1, name: 'Sign in' })).toBeDefined();
  });

  it('has the choice of the page before whether the owner stays signed in', async () => {
    const { user } = openLogin();
    const keep = () =>
      screen.findByRole<HTMLInputElement>('checkbox', { name: 'Keep me signed in' });
    await user.click(await keep());
    await user.click(screen.getByRole('link', { name: 'Sign up' }));
    await screen.findByRole('heading', { level: 1, name: 'Create your account' });
    expect((await keep()).checked).toBe(false);
  });

  it('leads to what was to be opened, and Back shows no account page after that', async () => {
    const { user, history, path } = openLogin({}, '/help');
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    await user.click(screen.getByRole('link', { name: 'Sign up' }));
    await user.type(await screen.findByRole('textbox', { name: 'Email' }), 'sam@example.com');
    await user.type(screen.getByLabelText('Password'), 'Walkies-4-all');
    await user.type(screen.getByLabelText('Confirm Password'), 'Walkies-4-all{Enter}');
    await screen.findByRole('heading', { level: 1, name: 'Help & Support' });
    act(() => history.back());
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    expect(path()).toBe('/pets');
  });
});
