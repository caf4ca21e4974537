import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { nothingUnsent } from '../../../tests/support/fakes/fake-data.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { syncActivityAtom, type SyncActivity } from '../../platform/auth/session.ts';

describe('the sync status in the header', () => {
  it('is a live region and a button with its words', async () => {
    const { store, data } = openApp({ path: '/pets' });
    const status = await screen.findByRole('status', { name: 'Sync status' });
    expect(status.textContent).toBe('Synced');
    act(() => {
      store.set(syncActivityAtom, { phase: 'offline', problem: null });
      data.overview.set({ ...nothingUnsent, waitingCount: 1 });
    });
    expect(status.textContent).toBe('Offline, 1 waiting');
    expect(screen.getByRole('button', { name: /^Offline, 1 waiting/ })).toBeDefined();
  });

  it('says the status once: the button has no description of its own', async () => {
    openApp({ path: '/pets' });
    const button = await screen.findByRole('button', { name: 'Synced. Sync details' });
    expect(button.title).toBe('Synced. Sync details');
  });

  it('does not announce states that change with every note', async () => {
    const { store } = openApp({ path: '/pets' });
    const status = await screen.findByRole('status');
    expect(status.getAttribute('aria-live')).toBe('polite');
    act(() => store.set(syncActivityAtom, { phase: 'syncing', problem: null }));
    expect(status.getAttribute('aria-live')).toBe('off');
  });

  async function watchStatus() {
    const { store, data } = openApp({ path: '/pets' });
    const status = await screen.findByRole('status', { name: 'Sync status' });
    return (phase: SyncActivity['phase'], parkedCount: number, waitingCount: number) => {
      act(() => {
        store.set(syncActivityAtom, { phase, problem: null });
        data.overview.set({ ...nothingUnsent, parkedCount, waitingCount });
      });
      return status.textContent;
    };
  }

  it('tells of parked items also while they are tried again, until they are sent or discarded', async () => {
    const show = await watchStatus();
    expect(show('starting', 2, 0)).toBe('2 could not be sent');
    expect(show('idle', 0, 2)).toBe('2 could not be sent');
    expect(show('syncing', 1, 1)).toBe('2 could not be sent');
    expect(show('syncing', 1, 0)).toBe('1 could not be sent');
    expect(show('idle', 0, 0)).toBe('Synced');
    expect(show('idle', 0, 2)).toBe('2 waiting');
    expect(show('syncing', 0, 2)).toBe('Syncing');
  });

  it('forgets parked items that were discarded while others wait', async () => {
    const show = await watchStatus();
    expect(show('idle', 2, 3)).toBe('2 could not be sent');
    expect(show('idle', 1, 3)).toBe('1 could not be sent');
    expect(show('idle', 0, 4)).toBe('1 could not be sent');
    expect(show('idle', 0, 3)).toBe('3 waiting');
    expect(show('syncing', 0, 4)).toBe('Syncing');
  });
});
