import { screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { formerTextsKeptMs } from '../../../schemas/limits.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';

const visitor = { user: null, status: 'idle' } as const;

describe('the help page', () => {
  it('gives the address of Customer Support', async () => {
    openApp({ path: '/help' });
    await screen.findByRole('heading', { level: 1, name: 'Help & Support' });
    expect(screen.getByRole('heading', { level: 2, name: 'Customer Support' })).toBeDefined();
    const mailbox = screen.getByRole('link', { name: 'support@pawpals.example' });
    expect(mailbox.getAttribute('href')).toBe('mailto:support@pawpals.example');
  });
});

describe('the privacy policy', () => {
  it.each([{}, visitor])('is open to everybody, and dated: %o', async (auth) => {
    const { path } = openApp({ path: '/privacy', auth });
    await screen.findByRole('heading', { level: 1, name: 'Privacy policy' });
    expect(screen.getByText('Last updated', { exact: false }).textContent).toBe(
      'Last updated 04/08/2025',
    );
    await waitFor(() => expect(document.title).toBe('Privacy policy · PawPals'));
    expect(path()).toBe('/privacy');
  });

  it('tells of the export of everything, and how long former texts are shown', async () => {
    openApp({ path: '/privacy', auth: visitor });
    expect(await screen.findByText(/^Export everything, in the settings/)).toBeDefined();
    const days = formerTextsKeptMs / (24 * 60 * 60 * 1_000);
    expect(screen.getByText(new RegExp(`note are shown for ${days} days`))).toBeDefined();
  });

  it('leads back to where one came from', async () => {
    const { user, path } = openApp({ path: '/settings' });
    await user.click(await screen.findByRole('link', { name: /Privacy/u }));
    await user.click(await screen.findByRole('button', { name: 'Back' }));
    await waitFor(() => expect(path()).toBe('/settings'));
  });

  it('has no way back for those who came by a link from outside', async () => {
    openApp({ path: '/privacy', auth: visitor });
    await screen.findByRole('heading', { level: 1, name: 'Privacy policy' });
    expect(screen.queryByRole('button', { name: 'Back' })).toBeNull();
  });
});
