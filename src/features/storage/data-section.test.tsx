import { act, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  exported,
  deferred,
  fakeData,
  nothingUnsent,
} from '../../../tests/support/fakes/fake-data.ts';
import { pictureJob, voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import { openApp } from '../../../tests/support/setups/open-app.tsx';
import { CommandError } from '../../data/commands/commands.ts';
import type {
  FinishedExport,
  FinishedImport,
  ImportPreview,
  OpenImport,
  TransferOptions,
  Transfers,
} from '../../data/transfer/transfers.ts';
import { authStateAtom } from '../../platform/auth/session.ts';
import { transferAtom } from './transfer-atom.ts';

const preview: ImportPreview = {
  pets: 1,
  notes: 3,
  voiceNotes: 0,
  exportedAtMs: new Date(2026, 4, 3, 14, 5).getTime(),
  files: 0,
  known: 1,
  returning: 2,
  unreadable: 1,
  withoutPet: 0,
  unsaved: 2,
  isOtherAccount: false,
  isPartial: false,
};
const imported: FinishedImport = {
  pets: 0,
  notes: 2,
  voiceNotes: 0,
  known: 2,
  otherVersions: 1,
  lostFiles: 2,
  unreadableFiles: 0,
};

function stubStorage(isProtected: boolean, agrees: boolean, usage = 12_400_000) {
  let persisted = isProtected;
  const persist = vi.fn<() => Promise<boolean>>(async () => (persisted ||= agrees));
  Object.defineProperty(navigator, 'storage', {
    configurable: true,
    value: {
      persisted: async () => persisted,
      persist,
      estimate: async () => ({ usage, quota: 2_000_000_000 }),
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

/** Records the names of the files that are saved from here on. */
function watchDownloads(): readonly string[] {
  const names: string[] = [];
  Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    names.push(this.download);
  });
  return names;
}

function fileInput(): HTMLElement {
  return screen.getByLabelText('File to import');
}

const zip = new File(['zip'], 'pawpals.zip', { type: 'application/zip' });

afterEach(() => {
  Reflect.deleteProperty(navigator, 'storage');
  Reflect.deleteProperty(navigator, 'standalone');
  Reflect.deleteProperty(navigator, 'share');
  Reflect.deleteProperty(navigator, 'canShare');
  Reflect.deleteProperty(URL, 'createObjectURL');
  Reflect.deleteProperty(URL, 'revokeObjectURL');
  vi.restoreAllMocks();
});

describe('storage', () => {
  it('tells that eviction is unknown in a browser without `navigator.storage`, such as WebKitGTK', async () => {
    const { main } = await openSettings();
    expect(await main.findByText('Storage on this device')).toBeDefined();
    expect(main.getByText(/Your browser does not say whether it may clear it/)).toBeDefined();
  });

  it('shows that it is protected, and the used size', async () => {
    stubStorage(true, true);
    const { main } = await openSettings();
    expect(await main.findByText(/Your browser does not clear it by itself/)).toBeDefined();
    expect(main.getByText('12 MB used')).toBeDefined();
    expect(main.queryByRole('button', { name: 'Protect storage' })).toBeNull();
  });

  it('is one line until its owner asks for more', async () => {
    stubStorage(false, false);
    const { main } = await openSettings();
    const line = await main.findByText('Storage on this device');
    const details = line.closest('details');
    expect(details?.open).toBe(false);
    expect(line.closest('summary')?.textContent).toBe('Storage on this device12 MB used');
    expect(within(details ?? document.body).getByText(/Your browser may clear it/)).toBeDefined();
  });

  it('stays open, and is read again, when an import has ended', async () => {
    stubStorage(true, true);
    const { main, user, store } = await openSettings();
    const line = await main.findByText('Storage on this device');
    await user.click(line);
    const running = { step: 'running', kind: 'import', progress: null, writtenPart: 0 } as const;
    act(() => store.set(transferAtom, running));
    stubStorage(true, true, 30_000_000);
    act(() => store.set(transferAtom, { step: 'stopped', kind: 'import' }));
    expect(await main.findByText('30 MB used')).toBeDefined();
    expect(line.isConnected).toBe(true);
  });

  it.each([true, false])('can be asked to be protected; agreed: %s', async (agrees) => {
    const persist = stubStorage(false, agrees);
    const { main, user } = await openSettings();
    await user.click(await main.findByText('Storage on this device'));
    await user.click(await main.findByRole('button', { name: 'Protect storage' }));
    expect(persist).toHaveBeenCalledOnce();
    const answer = agrees ? /does not clear it by itself/ : /Your browser did not agree/;
    expect(await main.findByText(answer)).toBeDefined();
    const focused = agrees ? 'Storage on this device12 MB used' : 'Protect storage';
    expect(document.activeElement?.textContent).toBe(focused);
  });
});

describe('unsent data', () => {
  it('is nothing once everything is sent', async () => {
    const { main } = await openSettings();
    expect(main.getByText('Nothing. Everything is in the cloud.')).toBeDefined();
    expect(main.getByRole('button', { name: 'Export unsent' }).ariaDisabled).toBe('true');
  });

  it('has its text and its button before that is known, so that nothing below moves while it is pressed', async () => {
    const data = fakeData();
    data.overview.set({ ...nothingUnsent, files: null });
    openApp({ path: '/settings', data });
    const title = await screen.findByText('Only on this device');
    const save = screen.getByRole('button', { name: 'Export unsent' });
    expect(save.ariaDisabled).toBe('true');
    // A space that keeps the height of a line.
    expect(title.nextElementSibling?.textContent).toBe('\u00a0');
    act(() => data.overview.set({ ...nothingUnsent, waitingCount: 2 }));
    await screen.findByText('2 notes');
    expect([title.isConnected, save.isConnected]).toEqual([true, true]);
    expect(save.ariaDisabled).toBe('false');
  });

  it('that no export has is opened where it is used', async () => {
    const data = fakeData();
    data.files.shared.set('s1', { id: 's1', createdAtMs: 1, texts: ['Ducks'], files: [] });
    openApp({ path: '/settings', data });
    const link = await screen.findByRole('link', { name: 'Open what you shared' });
    expect(link.getAttribute('href')).toBe('/quick/share');
    expect(screen.getByRole('button', { name: 'Export unsent' }).ariaDisabled).toBe('true');
  });

  it('is counted, and saved as a file of exactly that', async () => {
    const exportZip = vi.fn<Transfers['exportZip']>(async () => exported);
    const { main, data, user } = await openSettings({ exportZip });
    const files = [pictureJob('pet'), voiceJob('one'), voiceJob('two', { stage: 'failed' })];
    act(() => data.overview.set({ ...nothingUnsent, waitingCount: 7, parkedCount: 1, files }));
    expect(main.getByText('5 notes, 2 recordings and 1 picture')).toBeDefined();
    await user.click(main.getByRole('button', { name: 'Export unsent' }));
    expect(exportZip.mock.calls[0]?.[0]).toEqual({ kind: 'unsent' });
  });
});

describe('an export', () => {
  it('is one tap: its file is saved, and can be saved again', async () => {
    const downloads = watchDownloads();
    const { main, user } = await openSettings({ exportZip: async () => exported });
    await user.click(main.getByRole('button', { name: 'Export' }));
    const said = `Your export is ready: 1 dog and 2 notes. It is saved as ${exported.fileName}.`;
    expect((await main.findByText(said)).role).toBe('status');
    expect(downloads).toEqual([exported.fileName]);
    expect(screen.queryByRole('alert')).toBeNull();
    await user.click(main.getByRole('button', { name: 'Save again' }));
    expect(downloads).toEqual([exported.fileName, exported.fileName]);
  });

  it('offers one more tap where the browser wants it', async () => {
    let isTapped = false;
    Object.defineProperties(navigator, {
      standalone: { value: true, configurable: true },
      canShare: { value: () => true, configurable: true },
      share: {
        value: async () => {
          if (!isTapped) throw new DOMException('', 'NotAllowedError');
        },
        configurable: true,
      },
    });
    const { main, user } = await openSettings({ exportZip: async () => exported });
    await user.click(main.getByRole('button', { name: 'Export' }));
    const save = await main.findByRole('button', { name: 'Save the file' });
    expect(main.queryByText(/It is saved/)).toBeNull();
    isTapped = true;
    await user.click(save);
    expect(await main.findByText(/It is shared/)).toBeDefined();
    expect(main.queryByRole('button', { name: 'Save the file' })).toBeNull();
  });

  it('shows its progress, continues on other pages, and ends with a file', async () => {
    const downloads = watchDownloads();
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
    expect(downloads).toEqual([exported.fileName]);
    expect(store.get(transferAtom)).toMatchObject({ step: 'exported' });
    act(() => goTo('/settings'));
    await screen.findByRole('heading', { level: 2, name: 'Your data' });
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(screen.getAllByRole('button', { name: 'Save again' })).toHaveLength(1);
  });

  it.each([
    [
      'a journal that is not fetched to the end',
      { isPartial: true },
      /Part of your journal is not/,
    ],
    ['missing files', { missingFiles: 1 }, /1 recording or picture is not in it: not on this/],
  ])('with %s is a warning', async (_, lacks, said) => {
    watchDownloads();
    const result = deferred<FinishedExport>();
    const { main, user, goTo } = await openSettings({ exportZip: () => result.promise });
    await user.click(main.getByRole('button', { name: 'Export' }));
    act(() => goTo('/help'));
    await screen.findByRole('heading', { level: 1, name: 'Help & Support' });
    await act(async () => result.resolve({ ...exported, ...lacks }));
    const toast = await screen.findByText(said);
    expect(toast.closest('[data-toast]')?.getAttribute('data-toast')).toBe('warning');
  });

  it('can be stopped, and its later result is ignored', async () => {
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
    expect(main.queryByRole('button', { name: 'Save again' })).toBeNull();
  });

  it('leaves the focus near Stop when it ends', async () => {
    watchDownloads();
    const result = deferred<FinishedExport>();
    const { main, user } = await openSettings({ exportZip: () => result.promise });
    await user.click(main.getByRole('button', { name: 'Export' }));
    main.getByRole('button', { name: 'Stop' }).focus();
    await act(async () => result.resolve(exported));
    await main.findByRole('button', { name: 'Save again' });
    expect(document.activeElement).not.toBe(document.body);
  });

  it('ends with the session, and leaves nothing of it', async () => {
    watchDownloads();
    const { main, user, store } = await openSettings({ exportZip: async () => exported });
    await user.click(main.getByRole('button', { name: 'Export' }));
    await main.findByRole('button', { name: 'Save again' });
    act(() => store.set(authStateAtom, (state) => ({ ...state, user: null })));
    expect(store.get(transferAtom)).toEqual({ step: 'idle' });
  });
});

describe('an import', () => {
  it('describes the file, asks, and reports the result', async () => {
    const run = vi.fn<() => Promise<FinishedImport>>(async () => imported);
    const { main, user } = await openSettings({ openImport: async () => ({ preview, run }) });
    await user.upload(fileInput(), zip);
    const dialog = within(await screen.findByRole('alertdialog', { name: 'Import this file?' }));
    expect(dialog.getByText('Exported 3 May 2026 at 14:05: 1 dog and 3 notes.')).toBeDefined();
    expect(
      dialog.getByText(
        '1 of them is here already, and stays as it is. A later or unsent text, or another picture, becomes another version.',
      ),
    ).toBeDefined();
    expect(dialog.getByText('2 were deleted here, and come back.')).toBeDefined();
    expect(dialog.getByText('1 could not be read, and is left out.')).toBeDefined();
    expect(dialog.getByText(/^2 drafts and other versions are left out/)).toBeDefined();
    expect(run).not.toHaveBeenCalled();
    await user.click(dialog.getByRole('button', { name: 'Import' }));
    expect(
      await main.findByText(
        'Imported: 2 notes, 1 other version and 2 recordings and pictures. 2 are here already.',
      ),
    ).toBeDefined();
    expect(run).toHaveBeenCalledOnce();
  });

  it('says on another page that the file waits for an answer', async () => {
    const opened = deferred<OpenImport>();
    const { user, goTo } = await openSettings({ openImport: () => opened.promise });
    await user.upload(fileInput(), zip);
    act(() => goTo('/help'));
    await screen.findByRole('heading', { level: 1, name: 'Help & Support' });
    await act(async () => opened.resolve({ preview, run: async () => imported }));
    await screen.findByText('The file is ready to import. Open Settings to go on.');
    act(() => goTo('/settings'));
    expect(await screen.findByRole('alertdialog', { name: 'Import this file?' })).toBeDefined();
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

  it('describes the problem of a bad file', async () => {
    const openImport = () => Promise.reject(new CommandError('invalid', 'This is not a zip file.'));
    const { main, user } = await openSettings({ openImport });
    await user.upload(fileInput(), zip);
    expect((await main.findByRole('alert')).textContent).toBe('This is not a zip file.');
    await user.click(main.getByRole('button', { name: 'Close' }));
    expect(main.queryByRole('alert')).toBeNull();
  });
});
