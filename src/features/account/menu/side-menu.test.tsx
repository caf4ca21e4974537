import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FinishedExport, Transfers } from '../../../data/transfer/transfers.ts';
import {
  deferred,
  exported,
  entryRow,
  fakeData,
  nothingUnsent,
} from '../../../../tests/support/fakes/fake-data.ts';
import { pictureJob } from '../../../../tests/support/fixtures/file-records.ts';
import { openApp, owner } from '../../../../tests/support/setups/open-app.tsx';
import type { SyncOverview } from '../../../data/queries/queries.ts';
import { writeDraft } from '../../../lib/draft.ts';
import { syncActivityAtom } from '../../../platform/auth/session.ts';
import { userName } from '../user-name.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const waiting: SyncOverview = {
  ...nothingUnsent,
  waitingEntries: [entryRow('one', 1, { pending: 1 })],
  waitingCount: 2,
  parkedEntries: [entryRow('two', 2, { pending: 2 })],
  parkedCount: 1,
};

async function pressSignOut(overview = waiting, data = fakeData()) {
  data.overview.set(overview);
  const app = openApp({ path: '/pets', data });
  await app.user.click(await screen.findByRole('button', { name: 'Menu' }));
  await app.user.click(await screen.findByRole('button', { name: 'Sign Out' }));
  return app;
}

describe('the menu', () => {
  it('names the owner and the plan', async () => {
    const { user } = openApp({ path: '/pets' });
    await user.click(await screen.findByRole('button', { name: 'Menu' }));
    const menu = await screen.findByRole('dialog', { name: 'PawPals' });
    expect(menu.textContent).toContain('Sam Reed');
    expect(menu.textContent).toContain('Free Plan');
    await user.click(screen.getByRole('link', { name: 'My Pets' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('has a button that closes it, since a touch screen reader reaches nothing outside', async () => {
    const { user } = openApp({ path: '/pets' });
    await user.click(await screen.findByRole('button', { name: 'Menu' }));
    await user.click(await screen.findByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    [owner, 'Sam Reed'],
    [{ ...owner, displayName: null }, 'sam@example.com'],
    [{ ...owner, displayName: ' ', email: null }, 'Display name not set'],
    [null, 'Display name not set'],
  ])('calls %o %s', (user, name) => {
    expect(userName(user)).toBe(name);
  });
});

describe('signing out', () => {
  it('is done at once when everything is sent', async () => {
    const { asked, path } = await pressSignOut(nothingUnsent);
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    expect(asked).toEqual(['sign-out']);
    expect(path()).toBe('/auth/login');
    expect(sessionStorage).toHaveLength(0);
  });

  it('asks first when something would be lost, and can be called off', async () => {
    const { user, asked } = await pressSignOut();
    const dialog = await screen.findByRole('alertdialog', { name: 'Not everything is sent' });
    expect(dialog.textContent).toContain('3 notes');
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(asked).toEqual([]);
  });

  it('asks too while a recording is not finished', async () => {
    const data = fakeData();
    data.files.voice.unfinished.set(1);
    const { asked } = await pressSignOut(nothingUnsent, data);
    const dialog = await screen.findByRole('alertdialog', { name: 'Not everything is sent' });
    await waitFor(() => expect(dialog.textContent).toContain('1 recording that is not finished'));
    expect(asked).toEqual([]);
  });

  it('asks too when only this device has another version', async () => {
    await pressSignOut({
      ...nothingUnsent,
      versions: [
        {
          id: 'lost',
          kind: 'conflict-version',
          collection: 'entries',
          documentId: 'one',
          petId: 'pet',
          fields: { text: 'mine' },
          edits: {},
          reason: 'other-edit',
          side: 'local',
          keptAtMs: 1,
        },
      ],
    });
    expect((await screen.findByRole('alertdialog')).textContent).toContain('1 other version');
  });

  it('asks too when a note is only half written', async () => {
    writeDraft({ owner: owner.uid, name: 'pet' }, 'half a thought');
    writeDraft({ owner: owner.uid, name: 'other' }, ' ');
    await pressSignOut(nothingUnsent);
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).toContain('1 draft that is not saved');
    // Syncing sends no draft.
    expect(dialog.textContent).toContain('What is left waits for you');
    expect(screen.queryByRole('button', { name: 'Sync now' })).toBeNull();
  });

  it('asks too when a dog is still being deleted', async () => {
    await pressSignOut({ ...nothingUnsent, leavingCount: 1 });
    expect((await screen.findByRole('alertdialog')).textContent).toContain('1 deletion of a dog');
  });

  it('leads to what was shared, which no export has', async () => {
    const data = fakeData();
    data.files.shared.set('s1', { id: 's1', createdAtMs: 1, texts: ['Ducks'], files: [] });
    const { user, path } = await pressSignOut(nothingUnsent, data);
    const link = await screen.findByRole('link', { name: 'Open what you shared' });
    expect(screen.queryByRole('button', { name: 'Export' })).toBeNull();
    await user.click(link);
    await waitFor(() => expect(path()).toBe('/quick/share?share=s1'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('does not say offline that what a sign-out erases is kept', async () => {
    const { user, store } = await pressSignOut();
    act(() => store.set(syncActivityAtom, { phase: 'offline', problem: null }));
    await user.click(await screen.findByRole('button', { name: 'Sync now' }));
    const dialog = screen.getByRole('alertdialog');
    expect(dialog.textContent).toContain('There is no connection. Stay signed in');
    expect(dialog.textContent).not.toContain('kept here');
  });

  it('says so when there is no file to be had', async () => {
    const { user, data } = await pressSignOut();
    const exportZip = () => Promise.reject(new Error('unreadable'));
    data.transfersCell.set({ exportZip });
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    expect((await screen.findByRole('alert')).textContent).toBe('Something went wrong.');
  });

  it('discards only when told to', async () => {
    const { user, asked } = await pressSignOut();
    await user.click(await screen.findByRole('button', { name: 'Discard and sign out' }));
    expect(asked).toEqual([]);
    await user.pointer([{ target: document.body }]);
    await user.click(screen.getByRole('button', { name: 'Really discard and sign out' }));
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
    expect(asked).toEqual(['sign-out']);
  });

  it('discards nothing while it is exported', async () => {
    const { user, asked, data } = await pressSignOut();
    const result = deferred<FinishedExport>();
    data.transfersCell.set({ exportZip: () => result.promise });
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    expect(screen.getByText('Exporting…').role).toBe('status');
    const discard = screen.getByRole('button', { name: 'Discard and sign out' });
    expect(discard.getAttribute('aria-disabled')).toBe('true');
    await user.click(discard);
    expect(screen.queryByRole('button', { name: 'Really discard and sign out' })).toBeNull();
    act(() => data.overview.set(nothingUnsent));
    await user.click(screen.getByRole('button', { name: 'Sign out' }));
    expect(asked).toEqual([]);
    await act(async () => result.reject(new Error('unreadable')));
    await user.click(screen.getByRole('button', { name: 'Sign out' }));
    expect(asked).toEqual(['sign-out']);
  });

  it('syncs on request, and says when all is sent', async () => {
    const { user, asked, data } = await pressSignOut();
    await user.click(await screen.findByRole('button', { name: 'Sync now' }));
    expect(asked).toEqual(['sync-now']);
    act(() => data.overview.set(nothingUnsent));
    expect(screen.getByRole('alertdialog', { name: 'Everything is sent' })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Sign out' }));
    await screen.findByRole('heading', { level: 1, name: 'Sign in' });
  });

  it('says that work waits for its owner only once nothing is left to send', async () => {
    const data = fakeData();
    const uploading: SyncOverview = {
      ...nothingUnsent,
      waitingCount: 1,
      files: [pictureJob('p1')],
    };
    const { user } = await pressSignOut({ ...uploading, parkedCount: 1 }, data);
    const dialog = await screen.findByRole('alertdialog');
    expect(dialog.textContent).not.toContain('waits for you');
    await user.click(screen.getByRole('button', { name: 'Sync now' }));
    expect(dialog.textContent).toContain('It is still being sent. This is tried again by itself.');
    act(() => data.overview.set({ ...nothingUnsent, parkedCount: 1 }));
    expect(dialog.textContent).toContain('What is left waits for you');
    expect(screen.queryByRole('button', { name: 'Sync now' })).toBeNull();
  });

  it('offers unsent data as a file', async () => {
    const blobs: Blob[] = [];
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
    vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      if (blob instanceof Blob) blobs.push(blob);
      return 'blob:x';
    });
    const names: string[] = [];
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
      this: HTMLAnchorElement,
    ) {
      names.push(this.download);
    });
    const { user, data } = await pressSignOut();
    const exportZip = vi.fn<Transfers['exportZip']>(async () => exported);
    data.transfersCell.set({ exportZip });
    await user.click(await screen.findByRole('button', { name: 'Export' }));
    await vi.waitFor(() => expect(names).toEqual([exported.fileName]));
    expect(exportZip.mock.calls[0]?.[0]).toEqual({ kind: 'unsent' });
    const { size, type } = exported.zip;
    expect(blobs).toMatchObject([{ size, type }]);
  });
});
