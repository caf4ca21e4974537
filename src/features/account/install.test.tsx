import { act, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { fakeData, nothingUnsent } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { syncActivityAtom } from '../../platform/auth/session.ts';
import { installWayAtom, type InstallWay } from '../../platform/install/install-offer.ts';

async function openSettings(way: InstallWay | null, waitingCount = 0) {
  const data = fakeData();
  data.overview.set({ ...nothingUnsent, waitingCount });
  const app = openApp({ path: '/settings', data });
  app.store.set(installWayAtom, way);
  await screen.findByRole('heading', { name: 'Account Settings' });
  return app;
}

const entry = () => screen.queryByRole('button', { name: 'Install app' });

describe('installing', () => {
  it('is offered where it can be done, in Settings and in the menu', async () => {
    const ask = vi.fn<() => Promise<void>>(async () => undefined);
    const { user, store } = await openSettings({ kind: 'offer', ask });
    await user.click(screen.getByRole('button', { name: 'Menu' }));
    const menu = await screen.findByRole('dialog', { name: 'PawPals' });
    expect(menu.textContent).toContain('Install app');
    expect(within(menu).getByRole('navigation').lastElementChild?.textContent).toBe('Sign Out');
    await user.keyboard('{Escape}');
    await user.click(screen.getAllByRole('button', { name: 'Install app' })[0] ?? menu);
    expect(ask).toHaveBeenCalledOnce();
    act(() => store.set(installWayAtom, null));
    await waitFor(() => expect(entry()).toBeNull());
  });

  it('leaves no other entry under a finger that presses twice, and keeps the focus near', async () => {
    const { user, store } = await openSettings(null);
    const ask = async () => store.set(installWayAtom, null);
    const press = async (list: HTMLElement): Promise<void> => {
      act(() => store.set(installWayAtom, { kind: 'offer', ask }));
      const install = within(list).getByRole('button', { name: 'Install app' });
      expect(install.nextElementSibling?.matches('a, button') ?? false).toBe(false);
      await user.click(install);
      expect(entry()).toBeNull();
    };
    await press(screen.getByRole('main'));
    expect(document.activeElement?.textContent).toBe('Privacy policy');
    await user.click(screen.getByRole('button', { name: 'Menu' }));
    await press(await screen.findByRole('dialog', { name: 'PawPals' }));
    expect(document.activeElement?.textContent).toBe('PawPals');
  });

  it('is not spoken of elsewhere', async () => {
    await openSettings(null);
    expect(entry()).toBeNull();
  });

  it('by hand lists unsent data first, and syncs it', async () => {
    const { user, data, store, asked } = await openSettings({ kind: 'by-hand' }, 2);
    await user.click(screen.getByRole('button', { name: 'Install app' }));
    const dialog = await screen.findByRole('dialog', { name: 'Install PawPals' });
    expect(dialog.textContent).toContain('2 notes. Sync first');
    expect(dialog.textContent).toContain('Add to Home Screen');
    await user.click(screen.getByRole('button', { name: 'Sync now' }));
    expect(asked).toEqual(['sync-now']);
    act(() => store.set(syncActivityAtom, { phase: 'offline', problem: null }));
    expect(dialog.textContent).toContain('There is no connection. What waits is kept here');
    act(() => store.set(syncActivityAtom, { phase: 'idle', problem: null }));
    expect(dialog.textContent).toContain('It is still being sent.');
    act(() => data.overview.set({ ...nothingUnsent, parkedCount: 1 }));
    expect(dialog.textContent).toContain('1 note. This stays in the browser.');
    expect(screen.queryByRole('button', { name: 'Sync now' })).toBeNull();
    act(() => data.overview.set(nothingUnsent));
    await waitFor(() => expect(dialog.textContent).toContain('Everything is synced.'));
    await user.click(screen.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(entry());
  });
});
