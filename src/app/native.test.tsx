import { screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { installNativeBridge } from '../../tests/support/native-bridge.ts';
import { openApp } from '../../tests/support/open-app.tsx';
import { toastsOf } from '../platform/toasts.ts';

const native = installNativeBridge();

afterEach(() => {
  native.reset();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

async function openInWrapper(path = '/help') {
  const app = openApp({ path });
  const { startNative } = await import('./native.ts');
  await startNative(app);
  await screen.findByRole('heading', { level: 1 });
  return app;
}

function lastCall() {
  const { pluginId, methodName, options } = native.calls.at(-1) ?? {};
  return [pluginId, methodName, options];
}

describe('a link that the system gives to the app', () => {
  it('opens its path and query', async () => {
    const app = await openInWrapper();
    native.emit('App', 'appUrlOpen', { url: 'https://pawpals.example/settings?from=mail#here' });
    await screen.findByRole('heading', { level: 1, name: 'Settings' });
    expect(app.path()).toBe('/settings?from=mail');
  });

  it('is given to the pages of the account too, with its code', async () => {
    await openInWrapper();
    native.emit('App', 'appUrlOpen', { url: 'https://x.example/auth/set-new-password?oobCode=1' });
    await screen.findByRole('heading', { level: 1, name: 'Set a new password' });
    expect(screen.queryByText('Invalid or missing reset code')).toBeNull();
  });

  it('that is none only leaves a warning, without its text', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const app = await openInWrapper();
    native.emit('App', 'appUrlOpen', { url: 'no link, secret' });
    expect(warn.mock.calls).toEqual([['pawpals link-not-understood', '']]);
    expect(app.path()).toBe('/help');
  });
});

describe('the button Back of the system', () => {
  it('leaves the app alone where there is no step back', async () => {
    await openInWrapper();
    native.emit('App', 'backButton', { canGoBack: false });
    await waitFor(() => expect(lastCall()).toEqual(['App', 'minimizeApp', {}]));
  });

  it('goes one step back where there is one', async () => {
    const back = vi.spyOn(history, 'back').mockReturnValue();
    await openInWrapper();
    native.emit('App', 'backButton', { canGoBack: true });
    expect(back).toHaveBeenCalledTimes(1);
  });
});

describe('haptics', () => {
  it.each([
    ['success', 'SUCCESS'],
    ['warning', 'WARNING'],
    ['error', 'ERROR'],
  ] as const)('are those of the device, after a toast of %s', async (variant, type) => {
    const { store } = await openInWrapper();
    toastsOf(store).show({ message: 'Something happened', variant });
    await waitFor(() => expect(lastCall()).toEqual(['Haptics', 'notification', { type }]));
  });

  it('that fail are nobody’s business', async () => {
    const { store } = await openInWrapper();
    native.answers.set('Haptics.notification', new Error('no motor'));
    toastsOf(store).show({ message: 'Saved', variant: 'success' });
    expect((await screen.findByRole('alert')).textContent).toContain('Saved');
  });
});

describe('signing in', () => {
  it('is kept without asking', async () => {
    openApp({ path: '/auth/login', auth: { user: null, status: 'idle' } });
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.getByText('You stay signed in until you sign out.')).toBeDefined();
  });
});
