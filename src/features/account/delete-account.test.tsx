import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  deferred,
  entryRow,
  fakeData,
  nothingUnsent,
} from '../../../tests/support/fakes/fake-data.ts';
import { openApp, type OpenAppOptions } from '../../../tests/support/setups/open-app.tsx';
import type { FinishedExport } from '../../data/transfer/transfers.ts';
import { AuthError } from '../../platform/auth/auth.ts';
import { connection } from '../../platform/connection.ts';
import { authStateAtom } from '../../platform/auth/session.ts';

afterEach(() => {
  vi.restoreAllMocks();
  connection.note(true);
});

function refuse(code: string): () => Promise<never> {
  return () => Promise.reject(new AuthError(code));
}

async function openDeletion(options: Omit<OpenAppOptions, 'path'> = {}) {
  const app = openApp({ path: '/settings', ...options });
  await app.user.click(await screen.findByRole('link', { name: 'Delete Account' }));
  await screen.findByRole('alertdialog', { name: 'Delete Account' });
  return app;
}

describe('deleting the account', () => {
  it('leads to the sign-in, with nothing left of the page before', async () => {
    const { user, asked, path, store } = await openDeletion();
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    expect(asked).toEqual(['delete-account']);
    expect(path()).toBe('/auth/login');
    await screen.findByText('Your account is deleted, with everything in it.');
    expect(store.get(authStateAtom)).toMatchObject({ user: null, status: 'idle', error: null });
  });

  it('can be called off, one step back', async () => {
    const { user, asked, path } = await openDeletion();
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(path()).toBe('/settings'));
    expect(asked).toEqual([]);
  });

  it('can be called off to the settings, if it was opened by its address', async () => {
    const { user, path } = openApp({ path: '/account/delete' });
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(path()).toBe('/settings'));
  });

  it('can no longer be called off once it has begun', async () => {
    const { user, path } = await openDeletion({
      deleteAccount: () => new Promise(() => undefined),
    });
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    const dialog = screen.getByRole('alertdialog', { name: 'Delete Account' });
    await within(dialog).findByText('Deleting...');
    const cancel = within(dialog).getByRole('button', { name: 'Cancel' });
    expect(cancel.getAttribute('aria-disabled')).toBe('true');
    await user.click(cancel);
    fireEvent(dialog, new Event('cancel', { cancelable: true }));
    // A browser lets a second Escape close a dialog without asking.
    if (dialog instanceof HTMLDialogElement) dialog.close();
    fireEvent(dialog, new Event('close'));
    expect(path()).toBe('/account/delete');
    expect(dialog).toHaveProperty('open', true);
  });

  it('asks before the settings, in which nothing can be pressed meanwhile, and names the export', async () => {
    await openDeletion();
    expect(screen.getByRole('alertdialog').textContent).toContain('The export in Settings keeps');
    const behind = screen.getByText('Account Settings');
    expect(behind.closest('[inert]')).not.toBeNull();
    expect(screen.queryByRole('link', { name: 'Privacy policy' })).toBeNull();
  });

  it('shows the unsent data, and offers it as a file', async () => {
    const data = fakeData();
    data.overview.set({
      ...nothingUnsent,
      waitingEntries: [entryRow('one', 1, { pending: 1 })],
      waitingCount: 1,
    });
    await openDeletion({ data });
    expect(screen.getByText(/On this device only: 1 note. This is lost, unless/)).toBeDefined();
    expect(screen.getByRole('button', { name: 'Export' })).toBeDefined();
  });

  it('offers no export of what no export has', async () => {
    const data = fakeData();
    data.overview.set(nothingUnsent);
    data.files.shared.set('s1', { id: 's1', createdAtMs: 1, texts: ['Ducks'], files: [] });
    await openDeletion({ data });
    expect(await screen.findByText(/1 unused shared item.* This is lost\.$/)).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
    expect(screen.getByRole('link', { name: 'Open what you shared' })).toBeDefined();
  });

  it('does not say that an export has what was shared', async () => {
    const data = fakeData();
    data.overview.set({ ...nothingUnsent, waitingCount: 1 });
    data.files.shared.set('s1', { id: 's1', createdAtMs: 1, texts: ['Ducks'], files: [] });
    await openDeletion({ data });
    expect(
      await screen.findByText(/1 unused shared item.*and keep what you shared\.$/),
    ).toBeDefined();
  });

  it('leads nowhere else while it goes on', async () => {
    const data = fakeData();
    data.overview.set({ ...nothingUnsent, waitingCount: 1 });
    data.files.shared.set('s1', { id: 's1', createdAtMs: 1, texts: ['Ducks'], files: [] });
    const { user } = await openDeletion({
      data,
      deleteAccount: () => new Promise(() => undefined),
    });
    await screen.findByRole('link', { name: 'Open what you shared' });
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(screen.queryByRole('link', { name: 'Open what you shared' })).toBeNull();
    // No export has the shared items, whether there is a link to them or not.
    expect(screen.getByText(/and keep what you shared\.$/)).toBeDefined();
  });

  it('waits for the export of unsent data', async () => {
    const data = fakeData();
    data.overview.set({ ...nothingUnsent, waitingCount: 1 });
    const result = deferred<FinishedExport>();
    data.transfersCell.set({ exportZip: () => result.promise });
    const { user, asked } = await openDeletion({ data });
    await user.click(screen.getByRole('button', { name: 'Export' }));
    expect(screen.getByText('Exporting…').role).toBe('status');
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(asked).toEqual([]);
    await act(async () => result.reject(new Error('unreadable')));
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    expect(asked).toEqual(['delete-account']);
  });

  it('shows a recording that another tab makes', async () => {
    const data = fakeData();
    data.files.voice.unfinished.set(1);
    await openDeletion({ data });
    const note = await screen.findByText(/On this device only/);
    expect(note.textContent).toContain('1 recording that is not finished');
  });

  it('says before and after the press that it needs a connection, and asks for no new sign-in', async () => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    const { user } = await openDeletion({ deleteAccount: refuse('auth/network-request-failed') });
    expect(screen.getByRole('alert').textContent).toBe('Deleting your account needs a connection.');
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await screen.findByText(/^Deleting your account needs a connection\. There was no answer/);
    expect(screen.getByRole('alertdialog', { name: 'Delete Account' })).toBeDefined();
  });

  it('says so too when a browser that calls itself online gets no answers', async () => {
    connection.note(false);
    await openDeletion();
    expect(screen.getByRole('alert').textContent).toBe('Deleting your account needs a connection.');
    act(() => connection.note(true));
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it.each([
    ['auth/requires-recent-login', 'To delete your account, sign in again first.'],
    ['auth/no-current-user', 'No user is signed in.'],
    ['auth/internal-error', 'Something went wrong.'],
  ])('asks to reauthenticate after %s', async (code, sentence) => {
    const { user, store } = await openDeletion({ deleteAccount: refuse(code) });
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await screen.findByRole('alertdialog', { name: 'Reauthenticate' });
    expect(screen.getByRole('alert').textContent).toBe(sentence);
    expect(store.get(authStateAtom)).toMatchObject({ status: 'failed', error: sentence });
  });

  it('reauthenticates by a sign-out, and the next sign-in leads back', async () => {
    const { user, asked, path } = await openDeletion({
      deleteAccount: refuse('auth/requires-recent-login'),
    });
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Reauthenticate' }));
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    expect(asked).toEqual(['delete-account', 'sign-out']);
    await user.type(screen.getByRole('textbox', { name: 'Email' }), 'sam@example.com');
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    await screen.findByRole('alertdialog', { name: 'Delete Account' });
    expect(path()).toBe('/account/delete');
  });

  it('asks once more before the sign-out that reauthentication needs erases unsent data', async () => {
    const data = fakeData();
    data.overview.set({ ...nothingUnsent, waitingCount: 1 });
    const { user, asked } = await openDeletion({
      data,
      deleteAccount: refuse('auth/requires-recent-login'),
    });
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Reauthenticate' }));
    expect(asked).toEqual(['delete-account']);
    await user.click(screen.getByRole('button', { name: 'Really reauthenticate' }));
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    expect(asked).toEqual(['delete-account', 'sign-out']);
  });

  it('leads only that owner there: another owner who signs in starts at their own dogs', async () => {
    const other = { uid: 'other', email: 'ben@example.com', displayName: null };
    const data = fakeData();
    const { user, path } = await openDeletion({
      data,
      deleteAccount: refuse('auth/requires-recent-login'),
      requests: {
        signIn: async () => {
          Object.assign(data, { uid: other.uid });
          return other;
        },
      },
    });
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await user.click(await screen.findByRole('button', { name: 'Reauthenticate' }));
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    await user.type(screen.getByRole('textbox', { name: 'Email' }), 'ben@example.com');
    await user.type(screen.getByLabelText('Password'), 'secret{Enter}');
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    expect(path()).toBe('/pets');
    expect(screen.queryByRole('alertdialog')).toBeNull();
  });

  it('cancelling the second dialog goes one step back too', async () => {
    const { user, path } = await openDeletion({
      deleteAccount: refuse('auth/requires-recent-login'),
    });
    await user.click(screen.getByRole('button', { name: 'Delete' }));
    await screen.findByRole('alertdialog', { name: 'Reauthenticate' });
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(path()).toBe('/settings'));
  });
});
