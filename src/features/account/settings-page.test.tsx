import { screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { fakeData, nothingUnsent } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';

describe('the settings', () => {
  it('are the Account Settings of who is signed in', async () => {
    openApp({ path: '/settings' });
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    await waitFor(() => expect(document.title).toBe('Settings · PawPals'));
    const main = within(screen.getByRole('main'));
    expect(main.getByRole('heading', { level: 2, name: 'Account Settings' })).toBeDefined();
    expect(main.getByText('Sam Reed')).toBeDefined();
    expect(main.getByText('sam@example.com')).toBeDefined();
    const deletion = main.getByRole('link', { name: 'Delete Account' });
    expect(deletion.getAttribute('href')).toBe('/account/delete');
  });

  it('name who has no name once, by the e-mail', async () => {
    const user = { uid: 'owner', email: 'sam@example.com', displayName: null };
    openApp({ path: '/settings', auth: { user } });
    expect(await screen.findAllByText('sam@example.com')).toHaveLength(1);
  });

  it('sign out', async () => {
    const { user, asked, path } = openApp({ path: '/settings' });
    await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    expect(asked).toEqual(['sign-out']);
    expect(path()).toBe('/auth/login');
  });

  it('ask first while something is not sent', async () => {
    const data = fakeData();
    data.overview.set({ ...nothingUnsent, waitingCount: 1 });
    const { user, asked, path } = openApp({ path: '/settings', data });
    await user.click(await screen.findByRole('button', { name: 'Sign Out' }));
    await screen.findByRole('alertdialog', { name: 'Not everything is sent' });
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(asked).toEqual([]);
    expect(path()).toBe('/settings');
  });
});
