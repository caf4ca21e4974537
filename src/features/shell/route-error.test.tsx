import { notFound } from '@tanstack/react-router';
import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { ChunkLoadError } from '../../lib/async/load-chunk.ts';
import { Route as HelpRoute } from '../../routes/_app/help/route.tsx';
import { Route as PrivacyRoute } from '../../routes/privacy.tsx';

beforeEach(() => {
  // React logs every error that a boundary has caught.
  vi.spyOn(console, 'error').mockReturnValue();
  vi.spyOn(console, 'warn').mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
  delete HelpRoute.options.loader;
  delete PrivacyRoute.options.loader;
});

function failWith(error: unknown) {
  return () => {
    // Loaders may throw values that are no errors, as the router documents.
    // oxlint-disable-next-line typescript/only-throw-error
    throw error;
  };
}

const withStatus = (status: number) => new Response(null, { status });

describe('a page whose loader fails', () => {
  it.each([
    [withStatus(404), '404 Not Found', 'There is nothing here'],
    [notFound(), '404 Not Found', 'There is nothing here'],
    [withStatus(405), '405 Method Not Allowed', 'This cannot be done here'],
    [withStatus(400), '400 Bad Request', 'This address does not make sense'],
  ])('%o says %s, and offers a way on', async (error, code, sentence) => {
    PrivacyRoute.options.loader = failWith(error);
    openApp({ path: '/privacy' });
    await screen.findByRole('heading', { level: 1, name: sentence });
    expect(screen.getByText(code)).toBeDefined();
    expect(screen.getAllByRole('main')).toHaveLength(1);
    const wayOn = screen.getByRole('link', { name: 'Back to My Dogs' });
    expect(wayOn.getAttribute('href')).toBe('/pets');
    await waitFor(() => expect(document.title).toBe(`${sentence} · PawPals`));
  });

  it.each([new TypeError('x is undefined'), withStatus(500), 'a text', undefined])(
    'unexpectedly, with %o, keeps to the generic words and the frame',
    async (error) => {
      HelpRoute.options.loader = failWith(error);
      openApp({ path: '/help' });
      await screen.findByRole('heading', { level: 2, name: 'Something went wrong.' });
      expect(screen.getByRole('button', { name: 'Try again' })).toBeDefined();
      expect(screen.getByRole('button', { name: 'Menu' })).toBeDefined();
      expect(screen.getAllByRole('main')).toHaveLength(1);
      expect(document.body.textContent).not.toMatch(/undefined|TypeError/);
    },
  );

  it.each([
    ['missing', /There is a newer version of PawPals/],
    ['timeout', /The connection is too slow/],
    ['error', /It needs a connection once/],
  ] as const)('without its code (%s) offers a remedy', async (reason, hint) => {
    HelpRoute.options.loader = failWith(new ChunkLoadError('help', reason));
    openApp({ path: '/help' });
    await screen.findByRole('heading', { level: 2, name: 'This page could not be loaded.' });
    expect(screen.getByText(hint)).toBeDefined();
    expect(screen.getByText(/Your journal is still on this device/)).toBeDefined();
  });

  it('is reported, by its kind alone', async () => {
    const reported: unknown[] = [];
    PrivacyRoute.options.loader = failWith(withStatus(405));
    openApp({ path: '/privacy', log: (event, details) => reported.push([event, details]) });
    await screen.findByText('405 Method Not Allowed');
    expect(reported).toContainEqual(['page-failed', { reason: '405' }]);
  });
});

describe('an address with impossible parameters', () => {
  it.each([
    ['/pets/a%2Fb/profile', 400],
    ['/pets/__a__/profile', 400],
    [`/pets/${'a'.repeat(200)}/profile`, 400],
    ['/pets/a/notes/__b__', 400],
    ['/pets/a/actions/change-profile-picture?share=b', 400],
    ['/auth/set-new-password?mode=verifyEmail&oobCode=c', 405],
  ])('%s says %i', async (path, status) => {
    openApp({ path });
    expect(await screen.findByText(new RegExp(`^${String(status)} `))).toBeDefined();
  });

  it('is valid with the mode of a password reset', async () => {
    openApp({ path: '/auth/set-new-password?mode=resetPassword&oobCode=c' });
    expect(await screen.findByRole('heading', { name: 'Set a new password' })).toBeDefined();
  });
});

describe('an unknown address', () => {
  it.each([
    '/no/such/page',
    '/%E0%A4%A',
    '/pets/%E0%A4%A/what',
    '/pets/x/y/z',
    '/auth',
    '/account',
    '/auth/login/extra',
  ])('%s leads to the list of dogs', async (path) => {
    const app = openApp({ path });
    await screen.findByRole('heading', { level: 1, name: 'My Dogs' });
    expect(app.path()).toBe('/pets');
    expect(app.history.length).toBe(1);
  });
});
