import { createStore } from 'jotai';
import { expect, it, vi } from 'vitest';
import { fakeData } from '../../../tests/support/fakes/fake-data.ts';
import type { OpenImport } from '../../data/transfer/transfers.ts';
import { transferAtom } from './transfer-atom.ts';
import { createTransferService } from './transfer-state.ts';

const file = new Blob(['zip']);

/** The data of a session that imports one note. */
function session() {
  const data = fakeData();
  const run = vi.fn<OpenImport['run']>(async () => ({
    pets: 0,
    notes: 1,
    voiceNotes: 0,
    known: 0,
    otherVersions: 0,
    lostFiles: 0,
    unreadableFiles: 0,
  }));
  const preview = {
    pets: 0,
    notes: 1,
    voiceNotes: 0,
    exportedAtMs: 0,
    files: 0,
    known: 0,
    returning: 0,
    unreadable: 0,
    withoutPet: 0,
    unsaved: 0,
    isOtherAccount: false,
    isPartial: false,
  };
  const openImport = vi.fn<(chosen: Blob) => Promise<OpenImport>>(async () => ({ preview, run }));
  data.transfersCell.set({ openImport });
  return { data, run, openImport };
}

it('a file that was chosen before the page was frozen is imported into the database that is open now', async () => {
  const store = createStore();
  const service = createTransferService(store);
  const [before, now] = [session(), session()];
  service.chooseFile(before.data, file);
  await vi.waitFor(() => expect(store.get(transferAtom).step).toBe('asking'));
  service.startImport(now.data);
  await vi.waitFor(() => expect(store.get(transferAtom).step).toBe('imported'));
  expect(now.openImport).toHaveBeenCalledWith(file);
  expect([before.run.mock.calls.length, now.run.mock.calls.length]).toEqual([0, 1]);
});

it('a file is read once in one session', async () => {
  const store = createStore();
  const service = createTransferService(store);
  const { data, run, openImport } = session();
  service.chooseFile(data, file);
  await vi.waitFor(() => expect(store.get(transferAtom).step).toBe('asking'));
  service.startImport(data);
  await vi.waitFor(() => expect(store.get(transferAtom).step).toBe('imported'));
  expect([run.mock.calls.length, openImport.mock.calls.length]).toEqual([1, 1]);
});
