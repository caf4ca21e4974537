import { act, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createFakeClock } from '../../../tests/support/fakes/fake-clock.ts';
import { deferred } from '../../../tests/support/fakes/fake-data.ts';
import { longText, oddTexts } from '../../../tests/support/fixtures/odd-texts.ts';
import { openApp, owner, type OpenedApp } from '../../../tests/support/setups/open-app.tsx';
import { AuthError, type Auth } from '../../platform/auth/auth.ts';
import { clockAtom } from '../../platform/system-clock.ts';

const visitor = { user: null, status: 'idle' } as const;
const notAnEmail = 'This does not look like an email address.';
const refused = () => Promise.reject(new AuthError('auth/invalid-email'));

/** Texts to paste into a box, whether or not they are e-mail addresses. */
const texts = [...Object.values(oddTexts), longText];

function open(path: string, requests: Partial<Auth> = {}): OpenedApp {
  return openApp({ path, auth: visitor, requests });
}

async function put({ user }: OpenedApp, label: string, text: string): Promise<HTMLInputElement> {
  const box = await screen.findByLabelText<HTMLInputElement>(label);
  await user.clear(box);
  await user.click(box);
  await user.paste(text);
  return box;
}

async function press({ user }: OpenedApp, name: string): Promise<void> {
  await user.click(screen.getByRole('button', { name }));
}

describe.each([
  ['signIn', '/auth/login', 'Sign in'],
  ['register', '/auth/register', 'Sign up'],
  ['sendPasswordReset', '/auth/reset-password', 'Send reset link'],
] as const)('the form of %s', (request, path, button) => {
  async function fillPasswords(app: OpenedApp): Promise<void> {
    for (const label of ['Password', 'Confirm Password']) {
      if (screen.queryByLabelText(label) !== null) await put(app, label, 'Walkies-4-all');
    }
  }

  it.each(['', '   ', '\t\n'])('sends nothing with the e-mail %j', async (text) => {
    const send = vi.fn<typeof refused>(refused);
    const app = open(path, { [request]: send });
    const box = await put(app, 'Email', text);
    await fillPasswords(app);
    await press(app, button);
    expect(screen.getByText('Email is required').id).toBe(box.getAttribute('aria-describedby'));
    expect(document.activeElement).toBe(box);
    expect(send).not.toHaveBeenCalled();
  });

  it.each(texts)('keeps an invalid e-mail, and says so at its field: %.30j', async (text) => {
    const send = vi.fn<typeof refused>(refused);
    const app = open(path, { [request]: send });
    const box = await put(app, 'Email', text);
    // The other fields are empty, so they have problems as well.
    await press(app, button);
    expect(screen.getByText(notAnEmail).id).toBe(box.getAttribute('aria-describedby'));
    expect(box.getAttribute('aria-invalid')).toBe('true');
    expect(document.activeElement).toBe(box);
    expect(send).not.toHaveBeenCalled();
    expect(box.value).toBe(text);
  });

  it('shows what the provider says of an e-mail that looks like one', async () => {
    const app = open(path, { [request]: refused });
    await put(app, 'Email', 'sam@example..com');
    await fillPasswords(app);
    await press(app, button);
    expect((await screen.findByRole('alert')).textContent).toBe(notAnEmail);
  });

  it('is sent once, however often it is pressed', async () => {
    const answer = deferred<never>();
    const send = vi.fn<() => Promise<never>>(() => answer.promise);
    const app = open(path, { [request]: send });
    await put(app, 'Email', 'sam@example.com');
    await fillPasswords(app);
    await app.user.dblClick(screen.getByRole('button', { name: button }));
    await app.user.type(screen.getByLabelText('Email'), '{Enter}{Enter}');
    expect(send).toHaveBeenCalledTimes(1);
  });
});

describe.each([
  ['register', '/auth/register', 'Sign up'],
  ['confirmPasswordReset', '/auth/set-new-password?oobCode=code', 'Set password'],
] as const)('the password of %s', (request, path, button) => {
  const rule =
    'Must be at least 6 characters and include uppercase, lowercase, number, and special character';

  it.each([
    ['', 'Password is required'],
    ['   ', rule],
    [oddTexts.emoji, rule],
    [oddTexts['right to left'], rule],
    ['<b>', rule],
    [`Ab1!${longText}`, 'A password can have at most 4,096 characters'],
  ])('refuses the password %.30j', async (password, message) => {
    const send = vi.fn<typeof refused>(refused);
    const app = open(path, { [request]: send });
    const box = await put(app, 'Password', password);
    await put(app, 'Confirm Password', password);
    if (screen.queryByLabelText('Email') !== null) await put(app, 'Email', 'sam@example.com');
    await press(app, button);
    expect(screen.getByText(message).id).toBe(box.getAttribute('aria-describedby'));
    expect(box.getAttribute('aria-invalid')).toBe('true');
    expect(box.value).toBe(password);
    expect(send).not.toHaveBeenCalled();
  });

  it.each(['Пароль-7', '<Script>1', 'Aa1 🐕', `Ab1!${'x'.repeat(4_000)}`])(
    'takes the password %.30j as it is',
    async (password) => {
      const sent: unknown[] = [];
      const app = open(path, {
        [request]: async (form: { password: string }) => {
          sent.push(form.password);
          return owner;
        },
      });
      await put(app, 'Password', password);
      await put(app, 'Confirm Password', password);
      if (screen.queryByLabelText('Email') !== null) await put(app, 'Email', 'sam@example.com');
      await press(app, button);
      await waitFor(() => expect(sent).toEqual([password]));
    },
  );
});

describe('setting a new password', () => {
  it('is sent once, and not again while one is being led away', async () => {
    const confirmPasswordReset = vi.fn<Auth['confirmPasswordReset']>(async () => undefined);
    const app = open('/auth/set-new-password?oobCode=code', { confirmPasswordReset });
    app.store.set(clockAtom, createFakeClock());
    await put(app, 'Password', 'Walkies-4-all');
    await put(app, 'Confirm Password', 'Walkies-4-all');
    await app.user.dblClick(screen.getByRole('button', { name: 'Set password' }));
    await screen.findByText(/Your new password is set/);
    await press(app, 'Set password');
    expect(confirmPasswordReset).toHaveBeenCalledTimes(1);
  });

  it.each(['%3Cscript%3E', '%D7%9B', 'x'.repeat(10_000), '%F0%9F%90%95', '1'.repeat(30)])(
    'hands an odd code on, and says what the provider makes of it: %.20s',
    async (code) => {
      const confirmPasswordReset = vi.fn<Auth['confirmPasswordReset']>(() =>
        Promise.reject(new AuthError('auth/invalid-action-code')),
      );
      const app = open(`/auth/set-new-password?oobCode=${code}`, { confirmPasswordReset });
      await put(app, 'Password', 'Walkies-4-all');
      await put(app, 'Confirm Password', 'Walkies-4-all');
      await press(app, 'Set password');
      expect((await screen.findByRole('alert')).textContent).toMatch(/^This link has been used/);
      expect(confirmPasswordReset.mock.calls[0]?.[0].code).toBe(decodeURIComponent(code));
    },
  );
});

describe('back and forward between the account pages', () => {
  it('keeps the e-mail that was typed', async () => {
    const app = open('/auth/login');
    await put(app, 'Email', 'sam@example.com');
    act(() => app.goTo('/auth/register'));
    await screen.findByLabelText('Confirm Password');
    act(() => app.history.back());
    await screen.findByRole('button', { name: 'Sign in' });
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('sam@example.com');
    act(() => app.history.forward());
    await screen.findByLabelText('Confirm Password');
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('sam@example.com');
  });
});

describe('the buttons of an account', () => {
  it('delete it once', async () => {
    const gone = deferred<undefined>();
    const app = openApp({ path: '/account/delete', deleteAccount: () => gone.promise });
    await screen.findByRole('alertdialog');
    await app.user.dblClick(screen.getByRole('button', { name: 'Delete' }));
    expect(app.asked).toEqual(['delete-account']);
    await act(async () => gone.resolve(undefined));
    await screen.findByRole('button', { name: 'Sign in' });
    expect(app.asked).toEqual(['delete-account']);
  });

  it('sign out once, from the settings and from the question about the account', async () => {
    const settings = openApp({ path: '/settings' });
    await settings.user.dblClick(await screen.findByRole('button', { name: 'Sign Out' }));
    await screen.findByRole('button', { name: 'Sign in' });
    expect(settings.asked).toEqual(['sign-out']);
  });
});

describe('signing out on a slow device', () => {
  it('leaves those alone who have gone on from the sign-in page meanwhile', async () => {
    const cleared = deferred<undefined>();
    const app = openApp({ path: '/settings', cleared: cleared.promise });
    await app.user.click(await screen.findByRole('button', { name: 'Sign Out' }));
    await app.user.click(await screen.findByRole('link', { name: 'Forgot Password' }));
    await screen.findByRole('button', { name: 'Send reset link' });
    await act(async () => cleared.resolve(undefined));
    expect(app.path()).toBe('/auth/reset-password');
  });
});
