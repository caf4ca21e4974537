import { act, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import {
  deferred,
  entryRow,
  exported,
  nothingUnsent,
  petRow,
} from '../../../tests/support/fakes/fake-data.ts';
import { pictureJob, voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import { version, openSheet, watchDownloads } from '../../../tests/support/setups/open-sheet.tsx';
import { CommandError, type Commands } from '../../data/commands/commands.ts';
import type { Files } from '../../data/files/files.ts';
import type { KeptVersion } from '../../data/queries/queries.ts';
import type { Transfers } from '../../data/transfer/transfers.ts';
import { syncActivityAtom } from '../../platform/auth/session.ts';

const orphan = entryRow('orphan', 1, { text: 'no dog', pending: 2, code: 'pet-deleted' });

describe('the Sync sheet', () => {
  it('lists unsent items, and the number of those that it does not list', async () => {
    const { sheet } = await openSheet({
      waitingPets: [petRow('pet', 'Bramble', { pending: 1 })],
      waitingEntries: [entryRow('one', Date.now() - 5 * 60_000, { text: 'a walk', pending: 1 })],
      waitingCount: 12,
    });
    const list = within(sheet.getByRole('list', { name: '12 waiting to be sent' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'The dog Bramble',
      'a walk\u2068Bramble\u2069 · 5 minutes ago',
      'and 10 others',
    ]);
  });

  it('says of an entry that it waits for a new dog that was refused, and not for one with a refused edit', async () => {
    const refused = { pending: 2, code: 'refused:permission-denied' } as const;
    const { sheet } = await openSheet({
      waitingEntries: [
        entryRow('one', 1, { petId: 'other', pending: 1 }),
        entryRow('two', 2, { petId: 'edited', pending: 1 }),
      ],
      waitingCount: 2,
      parkedPets: [
        petRow('other', 'Otter', { ...refused, seq: null }),
        petRow('edited', 'Edith', { ...refused, seq: 1 }),
      ],
    });
    const list = within(sheet.getByRole('list', { name: '2 waiting to be sent' }));
    const [first, second] = list.getAllByRole('listitem');
    expect(first?.textContent).toContain('It waits for its dog, which could not be sent.');
    expect(second?.textContent).not.toContain('It waits for its dog');
  });

  it('lists files with their progress', async () => {
    const files = [
      pictureJob('pet', { stage: 'uploading' }),
      pictureJob('gone', { attempts: 2, nextAttemptAtMs: Date.now() + 60_000 }),
    ];
    const { sheet } = await openSheet({ files, waitingCount: 2 });
    const list = within(sheet.getByRole('list', { name: '2 waiting to be sent' }));
    expect(list.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
      'A picture of BrambleUploading…',
      'A pictureThe upload did not work yet. It is tried again by itself.',
    ]);
  });

  it('lists a voice note once, with the progress of its file', async () => {
    const parked = entryRow('parked', 1, { text: 'too long', pending: 2, code: 'too-large' });
    const { sheet } = await openSheet({
      waitingEntries: [entryRow('one', 1, { type: 'voice-note', text: '', pending: 1 })],
      parkedEntries: [parked],
      files: [voiceJob('one'), voiceJob('parked'), voiceJob('sent')],
      waitingCount: 2,
      parkedCount: 1,
    });
    const list = within(sheet.getByRole('list', { name: '2 waiting to be sent' }));
    const texts = list.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(texts).toEqual([
      expect.stringMatching(
        /^A voice note.*On this device\. It is uploaded with the next connection\.$/,
      ),
      expect.stringMatching(/^A voice note of Bramble/),
    ]);
  });

  it('retries and discards a parked file, and says why it is parked', async () => {
    const retryFile = vi.fn<Files['retryFile']>(() => Promise.resolve());
    const discardFile = vi.fn<Files['discardFile']>(() => Promise.resolve());
    const job = pictureJob('pet', { stage: 'failed', code: 'http-413' });
    const { user, sheet } = await openSheet(
      { files: [job], parkedCount: 1 },
      {},
      { retryFile, discardFile },
    );
    const list = within(sheet.getByRole('list', { name: '1 could not be sent' }));
    expect(list.getByText('A picture of Bramble')).toBeDefined();
    expect(
      list.getByText('Upload failed. It is too large for the server. It is kept here.'),
    ).toBeDefined();
    await user.click(list.getByRole('button', { name: 'Retry' }));
    expect(retryFile).toHaveBeenCalledWith(job.id);
    await user.click(list.getByRole('button', { name: 'Discard' }));
    expect(discardFile).not.toHaveBeenCalled();
    await user.click(list.getByRole('button', { name: 'Really discard' }));
    expect(discardFile).toHaveBeenCalledWith(job.id);
  });

  it('hands a parked file out, under its own name', async () => {
    const readFile = vi.fn<Files['readFile']>(async () => ({
      bytes: new ArrayBuffer(3),
      contentType: 'image/jpeg',
    }));
    const { clicked, createObjectURL } = watchDownloads();
    const job = pictureJob('pet', { stage: 'failed', code: 'http-403' });
    const { user, sheet } = await openSheet({ files: [job], parkedCount: 1 }, {}, { readFile });
    await user.click(sheet.getByRole('button', { name: 'Export' }));
    await vi.waitFor(() => expect(clicked).toHaveBeenCalledOnce());
    expect(clicked.mock.instances[0]).toMatchObject({ download: 'profile.jpg' });
    expect(createObjectURL.mock.calls[0]?.[0]).toMatchObject({ size: 3, type: 'image/jpeg' });
    clicked.mockRestore();
  });

  it('exports parked items, and an entry of a deleted dog, one by one', async () => {
    const { clicked, createObjectURL } = watchDownloads();
    const parked = entryRow('one', 1, { text: 'a walk', pending: 2, code: 'too-large' });
    const homeless: KeptVersion = { ...version, petId: 'gone', reason: 'deleted' };
    const { user, sheet } = await openSheet({ parkedEntries: [parked], versions: [homeless] });
    for (const button of sheet.getAllByRole('button', { name: 'Export' })) await user.click(button);
    const texts = await Promise.all(createObjectURL.mock.calls.map(([blob]) => blob.text()));
    expect(texts.map((text): unknown => JSON.parse(text))).toEqual([parked, homeless]);
    clicked.mockRestore();
  });

  it('exports no item without its sound or picture, and says which export has it', async () => {
    const spoken = entryRow('said', 1, { type: 'voice-note', pending: 2, code: 'too-large' });
    const fields = { profilePicturePath: 'pets/pet/images/profile.jpg' };
    const pictured: KeptVersion = { ...version, collection: 'pets', documentId: 'pet', fields };
    const refused = petRow('new', 'Juno', { pending: 1, code: 'too-large' });
    const { sheet } = await openSheet({
      parkedPets: [refused],
      parkedEntries: [spoken],
      versions: [pictured],
      files: [pictureJob('new')],
    });
    expect(sheet.queryByRole('button', { name: 'Export' })).toBeNull();
    expect(sheet.getAllByText('Use “Export unsent”.')).toHaveLength(3);
    expect(sheet.getByRole('button', { name: 'Export unsent' })).toBeDefined();
  });

  it('hands the file of the unsent data over at the next tap, if the browser wants one', async () => {
    const share = vi.fn<() => Promise<void>>(async () => undefined);
    share.mockRejectedValueOnce(new DOMException('', 'NotAllowedError'));
    const shared = { standalone: true, canShare: () => true, share };
    Object.assign(navigator, shared);
    const { user, sheet, data } = await openSheet({ waitingCount: 1 });
    const exportZip = vi.fn<Transfers['exportZip']>(async () => exported);
    data.transfersCell.set({ exportZip });
    await user.click(sheet.getByRole('button', { name: 'Export unsent' }));
    await sheet.findByText(/Tap once more to save the file/);
    await user.click(sheet.getByRole('button', { name: 'Export unsent' }));
    await sheet.findByText(/It is shared as/);
    expect(exportZip).toHaveBeenCalledOnce();
    for (const name of Object.keys(shared)) Reflect.deleteProperty(navigator, name);
  });

  it('offers the export for a recovered recording alone', async () => {
    const { sheet } = await openSheet({ files: [voiceJob('cut-off', { stage: 'recorded' })] });
    expect(sheet.getByRole('button', { name: 'Export unsent' })).toBeDefined();
  });

  it('keeps the focus when what “Export unsent” would export is sent', async () => {
    const { sheet, data } = await openSheet({ waitingCount: 1 });
    sheet.getByRole('button', { name: 'Export unsent' }).focus();
    act(() => data.overview.set(nothingUnsent));
    expect(sheet.queryByRole('button', { name: 'Export unsent' })).toBeNull();
    expect(document.activeElement).not.toBe(document.body);
  });

  it('retries and discards parked items', async () => {
    const retry = vi.fn<Commands['retry']>(() => Promise.resolve());
    const discard = vi.fn<Commands['discard']>(() => Promise.resolve());
    const refused = entryRow('one', 1, { text: 'a walk', pending: 2, code: 'too-large' });
    const { user, sheet } = await openSheet({ parkedEntries: [refused] }, { retry, discard });
    expect(sheet.getByText('It is too large for the server.')).toBeDefined();
    expect(sheet.queryByRole('button', { name: /Move/ })).toBeNull();
    await user.click(sheet.getByRole('button', { name: 'Retry' }));
    expect(retry).toHaveBeenCalledWith('entries', 'one');
    await user.click(sheet.getByRole('button', { name: 'Discard' }));
    expect(discard).not.toHaveBeenCalled();
    await user.click(sheet.getByRole('button', { name: 'Really discard' }));
    expect(discard).toHaveBeenCalledWith('entries', 'one');
  });

  it('retries all that is parked at once, if more than one can be sent', async () => {
    const done = vi.fn<() => Promise<void>>(() => Promise.resolve());
    const homeless = ['gone', 'lost'].map((id) => ({ ...orphan, id, petId: 'gone' }));
    const newer = ['new', 'newer'].map((id) => ({ ...orphan, id, code: 'newer-schema' }));
    const opened = openSheet(
      { parkedEntries: [...homeless, ...newer], parkedCount: 4 },
      { retryAll: done },
      { retryAllFiles: done },
    );
    const { user, sheet, data } = await opened;
    expect(sheet.queryByRole('button', { name: 'Retry all' })).toBeNull();
    const refused = ['one', 'two'].map((id) => ({ ...orphan, id, code: 'too-large' }));
    const allRefused = {
      ...nothingUnsent,
      parkedEntries: [...homeless, ...refused],
      parkedCount: 4,
    };
    act(() => data.overview.set(allRefused));
    await user.click(sheet.getByRole('button', { name: 'Retry all' }));
    expect(done).toHaveBeenCalledTimes(2);
    const stays = [...homeless, ...newer];
    act(() => data.overview.set({ ...nothingUnsent, parkedEntries: stays, parkedCount: 4 }));
    expect(await sheet.findByText('They are tried again.')).toBeDefined();
    expect(document.activeElement).toBe(sheet.getByRole('heading', { name: 'Sync' }));
    act(() => data.overview.set(allRefused));
    expect(sheet.queryByText('They are tried again.')).toBeNull();
  });

  it('asks before it discards a change, also where the server has another version', async () => {
    const discard = vi.fn<Commands['discard']>(() => Promise.resolve());
    const base = { fields: { text: 'as it was' }, edits: {} };
    const refused = entryRow('one', 1, { pending: 2, code: 'too-large', base });
    const { user, sheet } = await openSheet({ parkedEntries: [refused] }, { discard });
    await user.click(sheet.getByRole('button', { name: 'Discard' }));
    expect(discard).not.toHaveBeenCalled();
    await user.click(sheet.getByRole('button', { name: 'Really discard' }));
    expect(discard).toHaveBeenCalledWith('entries', 'one');
  });

  it('takes a key that is held for one press', async () => {
    const discard = vi.fn<Commands['discard']>(() => Promise.resolve());
    const { user, sheet } = await openSheet({ parkedEntries: [orphan] }, { discard });
    act(() => sheet.getByRole('button', { name: 'Discard' }).focus());
    await user.keyboard('{Enter>4/}');
    expect(sheet.getByRole('button', { name: 'Really discard' })).toBeDefined();
    expect(discard).not.toHaveBeenCalled();
    await user.keyboard('{Enter}');
    expect(discard).toHaveBeenCalledOnce();
  });

  it('moves a note to no dog while the key that asked for one is held', async () => {
    const moveEntry = vi.fn<Commands['moveEntry']>(() => Promise.resolve());
    const { user, sheet, data } = await openSheet({ parkedEntries: [orphan] }, { moveEntry });
    act(() => data.pets.set([petRow('juno', 'Juno'), petRow('otter', 'Otter')]));
    act(() => sheet.getByRole('button', { name: 'Move to another dog' }).focus());
    await user.keyboard('{Enter>4/}');
    expect(document.activeElement).toBe(sheet.getByRole('button', { name: 'Move to Juno' }));
    expect(moveEntry).not.toHaveBeenCalled();
  });

  it('says that an item is tried again until it is refused again, and keeps the focus', async () => {
    const { user, sheet, data } = await openSheet(
      { parkedEntries: [orphan] },
      { retry: () => Promise.resolve() },
    );
    await user.click(sheet.getByRole('button', { name: 'Retry' }));
    act(() => data.overview.set({ ...nothingUnsent, waitingEntries: [orphan], waitingCount: 1 }));
    expect(await sheet.findByText('It is tried again.')).toBeDefined();
    expect(sheet.queryByRole('button', { name: 'Retry' })).toBeNull();
    expect(document.activeElement).toBe(sheet.getByRole('heading', { name: 'Sync' }));
    act(() => data.overview.set({ ...nothingUnsent, parkedEntries: [orphan], parkedCount: 1 }));
    expect(sheet.queryByText('It is tried again.')).toBeNull();
  });

  it('shows the number of parked items, including those that it does not list', async () => {
    const { sheet } = await openSheet({ parkedEntries: [orphan], parkedCount: 60 });
    const list = within(sheet.getByRole('list', { name: '60 could not be sent' }));
    expect(list.getByText('and 59 others')).toBeDefined();
  });

  it('lets the buttons of an item rest while something is done to it', async () => {
    const done = deferred<undefined>();
    const retry = vi.fn<Commands['retry']>(() => done.promise);
    const { user, sheet } = await openSheet(
      { parkedEntries: [orphan], versions: [version] },
      { retry },
    );
    await user.dblClick(sheet.getByRole('button', { name: 'Retry' }));
    expect(retry).toHaveBeenCalledTimes(1);
    const isDisabled = (name: string): boolean =>
      sheet.getByRole('button', { name }).getAttribute('aria-disabled') === 'true';
    expect(isDisabled('Retry')).toBe(true);
    expect(isDisabled('Restore')).toBe(false);
    await act(async () => {
      done.resolve(undefined);
      await done.promise;
    });
    expect(isDisabled('Retry')).toBe(false);
  });

  it('describes each button by its item', async () => {
    const { sheet } = await openSheet({ parkedEntries: [orphan] });
    const button = sheet.getByRole('button', { name: 'Retry' });
    const text = document.getElementById(button.getAttribute('aria-describedby') ?? '');
    expect(text?.textContent).toBe('no dog');
  });

  it('offers no Retry for an entry whose dog is deleted, which the server would refuse again', async () => {
    const homeless = { ...orphan, petId: 'gone' };
    const { sheet, data } = await openSheet({ parkedEntries: [homeless], parkedCount: 1 });
    expect(sheet.queryByRole('button', { name: 'Retry' })).toBeNull();
    const refused = { ...homeless, code: 'too-large' };
    act(() => data.overview.set({ ...nothingUnsent, parkedEntries: [refused], parkedCount: 1 }));
    expect(sheet.getByRole('button', { name: 'Retry' })).toBeDefined();
  });

  it('offers no Retry for an entry that a newer version wrote, unless it deletes it', async () => {
    const newer = { ...orphan, code: 'newer-schema' };
    const { sheet, data } = await openSheet({ parkedEntries: [newer], parkedCount: 1 });
    expect(sheet.queryByRole('button', { name: 'Retry' })).toBeNull();
    const deletion = { ...newer, deleted: true };
    act(() => data.overview.set({ ...nothingUnsent, parkedEntries: [deletion], parkedCount: 1 }));
    expect(sheet.getByRole('button', { name: 'Retry' })).toBeDefined();
  });

  it('moves an entry of a deleted dog only if there is another', async () => {
    const moveEntry = vi.fn<Commands['moveEntry']>(() => Promise.resolve());
    const { user, sheet, data } = await openSheet({ parkedEntries: [orphan] }, { moveEntry });
    expect(sheet.queryByRole('button', { name: /Move/ })).toBeNull();
    act(() => data.pets.set([petRow('juno', 'Juno'), petRow('otter', 'Otter')]));
    await user.click(sheet.getByRole('button', { name: 'Move to another dog' }));
    expect(document.activeElement).toBe(sheet.getByRole('button', { name: 'Move to Juno' }));
    await user.click(sheet.getByRole('button', { name: 'Move to Otter' }));
    expect(await sheet.findByText('Moved to Otter.')).toBeDefined();
    expect(moveEntry).toHaveBeenCalledWith('orphan', 'otter');
  });

  it('says so when a command failed', async () => {
    const retry = () => Promise.reject(new CommandError('storage', 'This device is full.'));
    const { user, sheet } = await openSheet({ parkedEntries: [orphan] }, { retry });
    await user.click(sheet.getByRole('button', { name: 'Retry' }));
    const list = within(sheet.getByRole('list', { name: '1 could not be sent' }));
    expect((await list.findByRole('alert')).textContent).toBe('This device is full.');
  });

  it('answers "Sync now" with the state of the connection and of sync', async () => {
    const { user, sheet, store } = await openSheet({ waitingCount: 1 });
    expect(sheet.queryByText(/There is no connection/)).toBeNull();
    act(() => store.set(syncActivityAtom, { phase: 'offline', problem: null }));
    await user.click(sheet.getByRole('button', { name: 'Sync now' }));
    expect(sheet.getByText(/There is no connection. What waits is kept here/)).toBeDefined();
    act(() => store.set(syncActivityAtom, { phase: 'syncing', problem: null }));
    expect(sheet.getByText('Syncing…')).toBeDefined();
  });

  it('shows the last sync, and starts one', async () => {
    const { user, sheet, asked } = await openSheet({ syncedAtMs: Date.now() - 120_000 });
    expect(sheet.getByText('Last sync: 2 minutes ago')).toBeDefined();
    await user.click(sheet.getByRole('button', { name: 'Sync now' }));
    expect(asked).toEqual(['sync-now']);
    await user.click(sheet.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});
