import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { exported, deferred, fakeData, nothingUnsent } from '../../../tests/support/fake-data.ts';
import { pictureJob, voiceJob } from '../../../tests/support/fake-files.ts';
import { openApp } from '../../../tests/support/open-app.tsx';
import { CommandError } from '../../data/commands.ts';
import type {
  FinishedExport,
  FinishedImport,
  ImportPreview,
  TransferOptions,
  Transfers,
} from '../../data/transfers.ts';
import { authStateAtom } from '../../platform/session.ts';
import { transferAtom } from './transfer-state.ts';

const preview: ImportPreview = {
  dogs: 1,
  notes: 3,
  voiceNotes: 0,
  exportedAtMs: new Date(2026, 4, 3, 14, 5).getTime(),
  files: 0,
  known: 1,
  returning: 2,
  unreadable: 1,
  withoutDog: 0,
  isOtherAccount: false,
};
const imported: FinishedImport = { dogs: 0, notes: 2, voiceNotes: 0, known: 2, unreadableFiles: 0 };

function stubStorage(isProtected: boolean, agrees: boolean) {
  let persisted = isProtected;
  const persist = vi.fn<() => Promise<boolean>>(async () => (persisted ||= agrees));
  Object.defineProperty(navigator, 'storage', {
    configurable: true,
    value: {
      persisted: async () => persisted,
      persist,
      estimate: async () => ({ usage: 12_400_000, quota: 2_000_000_000 }),
    },
  });
  return persist;
}

async function openSettings(transfers: Partial<Transfers> = {}) {
  const data = fakeData();
  data.transfersCell.set(transfers);
  const app = openApp({ path: '/settings', data });
  await screen.findByRole('heading', { level: 2, name: 'Your data' });
  return { ...app, main: within(screen.getByRole('main')) };
}

function fileInput(): HTMLElement {
  return screen.getByLabelText('File to import');
}

const zip = new File(['zip'], 'pawpals.zip', { type: 'application/zip' });

afterEach(() => {
  Reflect.deleteProperty(navigator, 'storage');
  vi.restoreAllMocks();
});

describe('storage', () => {
  it('says what is not known in a browser without `navigator.storage`, as WebKitGTK is', async () => {
    const { main } = await openSettings();
    expect(await main.findByText('Storage on this device')).toBeDefined();
    expect(main.getByText(/Your browser does not say whether it may clear it/)).toBeDefined();
  });

  it('tells that it is protected, and how much is used', async () => {
    stubStorage(true, true);
    const { main } = await openSettings();
    expect(await main.findByText('Storage is protected')).toBeDefined();
    expect(main.getByText('12 MB used of 2.0 GB')).toBeDefined();
    expect(main.queryByRole('button', { name: 'Protect storage' })).toBeNull();
  });

  it.each([true, false])('can be asked to be protected; agreed: %s', async (agrees) => {
    const persist = stubStorage(false, agrees);
    const { main, user } = await openSettings();
    await user.click(await main.findByRole('button', { name: 'Protect storage' }));
    expect(persist).toHaveBeenCalledOnce();
    const answer = agrees ? 'Storage is protected' : /Your browser did not agree/;
    expect(await main.findByText(answer)).toBeDefined();
  });
});

describe('what is only on this device', () => {
  it('is nothing once everything is sent', async () => {
    const { main } = await openSettings();
    expect(main.getByText('Nothing. Everything is in the cloud.')).toBeDefined();
    expect(main.queryByRole('button', { name: 'Save these' })).toBeNull();
  });

  it('is counted, and saved as a file of exactly that', async () => {
    const exportZip = vi.fn<Transfers['exportZip']>(async () => exported);
    const { main, data, user } = await openSettings({ exportZip });
    const files = [pictureJob('pet'), voiceJob('one'), voiceJob('two', { stage: 'failed' })];
    act(() => data.overview.set({ ...nothingUnsent, waitingCount: 7, parkedCount: 1, files }));
    expect(main.getByText('5 notes, 2 recordings and 1 picture')).toBeDefined();
    await user.click(main.getByRole('button', { name: 'Save these' }));
    expect(exportZip.mock.calls[0]?.[0]).toEqual({ kind: 'unsent' });
  });
});

describe('an export', () => {
  it('tells how far it is, goes on on other pages, and ends with a file', async () => {
    const result = deferred<FinishedExport>();
    let options: TransferOptions | null = null;
    const { main, user, goTo, store } = await openSettings({
      exportZip: (_scope, given) => {
        options = given;
        return result.promise;
      },
    });
    await user.click(main.getByRole('button', { name: 'Export' }));
    await waitFor(() => expect(options).not.toBeNull());
    act(() => options?.onProgress({ done: 120, total: 312 }));
    expect(main.getByText('120 of 312 notes')).toBeDefined();
    expect(main.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('38');
    await user.click(main.getByRole('button', { name: 'Export' }));
    act(() => goTo('/help'));
    await screen.findByRole('heading', { level: 1, name: 'Help & Support' });
    act(() => result.resolve({ ...exported, missingFiles: 1 }));
    const toast = await screen.findByRole('alert');
    expect(toast.textContent).toContain('1 recording or picture is not in it');
    Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
    const clicked = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
    await user.click(screen.getByRole('button', { name: 'Download' }));
    expect(clicked.mock.instances[0]).toMatchObject({ download: exported.fileName });
    expect(store.get(transferAtom)).toMatchObject({ step: 'exported' });
  });

  it('can be stopped, and what it comes to later is nobody’s business', async () => {
    const result = deferred<FinishedExport>();
    let signal: AbortSignal | null = null;
    const { main, user } = await openSettings({
      exportZip: (_scope, options) => {
        ({ signal } = options);
        return result.promise;
      },
    });
    await user.click(main.getByRole('button', { name: 'Export' }));
    await user.click(main.getByRole('button', { name: 'Stop' }));
    expect(signal).toHaveProperty('aborted', true);
    expect(document.activeElement?.textContent).toBe('Your data');
    await act(async () => result.resolve(exported));
    expect(main.getByText('The export was stopped.')).toBeDefined();
    expect(main.queryByRole('button', { name: 'Download' })).toBeNull();
  });

  it('ends with the session, and leaves nothing of it', async () => {
    const { main, user, store } = await openSettings({ exportZip: async () => exported });
    await user.click(main.getByRole('button', { name: 'Export' }));
    await main.findByRole('button', { name: 'Download' });
    act(() => store.set(authStateAtom, (state) => ({ ...state, user: null })));
    expect(store.get(transferAtom)).toEqual({ step: 'idle' });
  });
});

describe('an import', () => {
  it('tells what is in the file, asks, and tells what came of it', async () => {
    const run = vi.fn<() => Promise<FinishedImport>>(async () => imported);
    const { main, user } = await openSettings({ openImport: async () => ({ preview, run }) });
    await user.upload(fileInput(), zip);
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Import this file?' }));
    expect(dialog.getByText('Exported 3 May 2026 at 14:05: 1 dog and 3 notes.')).toBeDefined();
    expect(dialog.getByText('1 of them is here already, and stays as it is.')).toBeDefined();
    expect(dialog.getByText('2 were deleted here, and come back.')).toBeDefined();
    expect(dialog.getByText('1 could not be read, and is left out.')).toBeDefined();
    expect(run).not.toHaveBeenCalled();
    await user.click(dialog.getByRole('button', { name: 'Import' }));
    expect(await main.findByText('Imported: 2 notes. 2 are here already.')).toBeDefined();
    expect(run).toHaveBeenCalledOnce();
  });

  it('can be refused', async () => {
    const run = vi.fn<() => Promise<FinishedImport>>(async () => imported);
    const { main, user } = await openSettings({ openImport: async () => ({ preview, run }) });
    await user.upload(fileInput(), zip);
    await user.click(await screen.findByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(main.queryByText(/Imported/)).toBeNull();
    expect(run).not.toHaveBeenCalled();
  });

  it('of a bad file says what is wrong', async () => {
    const openImport = () => Promise.reject(new CommandError('invalid', 'This is no zip file.'));
    const { main, user } = await openSettings({ openImport });
    await user.upload(fileInput(), zip);
    expect((await main.findByRole('alert')).textContent).toBe('This is no zip file.');
    await user.click(main.getByRole('button', { name: 'Close' }));
    expect(main.queryByRole('alert')).toBeNull();
  });
});
