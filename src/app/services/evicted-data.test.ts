import { expect, it, vi } from 'vitest';
import { cell } from '../../../tests/support/fakes/cell.ts';
import {
  entryRow,
  fakeData,
  nothingUnsent,
  petRow,
} from '../../../tests/support/fakes/fake-data.ts';
import { voiceJob } from '../../../tests/support/fixtures/file-records.ts';
import type { Entry } from '../../../schemas/documents/document.ts';
import type { SyncOverview } from '../../data/queries/queries.ts';
import type { ToastRequest } from '../../platform/toasts.ts';
import { readDeviceMarker } from '../../platform/storage/device-marker.ts';
import type { SyncActivity } from '../../platform/auth/session.ts';
import { watchEvictedData } from './evicted-data.ts';

const unsent = { pending: 1, seq: null } as const;

/** Simulates one visit of an owner to a device. */
function visit(wasFetched: boolean) {
  const data = fakeData();
  data.fetchedOnce.set(wasFetched);
  data.overview.set({ ...nothingUnsent, fetchedOnce: wasFetched });
  const said: ToastRequest[] = [];
  const toasts = { show: (toast: ToastRequest) => (said.push(toast), toast.id ?? null) };
  const activity = cell<SyncActivity>({ phase: 'syncing', problem: null });
  const ended = new AbortController();
  const watching = watchEvictedData({ data, toasts, wasFetched, activity, ended: ended.signal });
  const fetchAll = async (): Promise<void> => {
    data.fetchedOnce.set(true);
    data.overview.set({ ...nothingUnsent, fetchedOnce: true });
    await watching;
  };
  return { data, said, activity, ended, fetchAll, last: () => said.at(-1)?.message };
}

function leaveUnsent({ data }: ReturnType<typeof visit>): void {
  data.overview.set({
    ...nothingUnsent,
    waitingPets: [petRow('p1', 'Moss', unsent), petRow('p2', 'Bramble', { pending: 1, seq: 4 })],
    waitingEntries: [entryRow('one', 1, unsent), entryRow('sent later', 2, unsent)],
    files: [voiceJob('spoken')],
    recordingCount: 1,
    waitingCount: 5,
  });
}

it('says nothing on a device that is new, and nothing on one that is as it was', async () => {
  const first = visit(false);
  await first.fetchAll();
  first.ended.abort();
  const second = visit(true);
  await second.fetchAll();
  expect([...first.said, ...second.said]).toEqual([]);
});

it('tells that the data is gone, why it is not fetched yet, and what is lost', async () => {
  const before = visit(true);
  leaveUnsent(before);
  before.ended.abort();

  const after = visit(false);
  expect(after.last()).toContain('What was stored on this device is gone.');
  expect(after.last()).toContain('Fetching your journal again…');
  after.activity.set({ phase: 'offline', problem: null });
  expect(after.last()).toContain('with the next connection');
  after.activity.set({ phase: 'problem', problem: 'unauthenticated' });
  expect(after.last()).toContain('Sign in again');
  after.data.entries.set([
    entryRow('sent later', 2),
    entryRow('spoken', 3, { type: 'voice-note' }),
  ]);
  await after.fetchAll();
  expect(after.last()).toBe(
    'Your journal is back. 1 dog, 1 note and 1 recording that had not been sent are lost. Changes that had not been sent may be lost.',
  );
  expect(after.said.at(-1)?.durationMs).toBe(0);
  expect(new Set(after.said.map(({ id }) => id)).size).toBe(1);
});

it('tells each next step once, however often a fetch is retried', async () => {
  visit(true).ended.abort();
  const after = visit(false);
  for (const phase of ['offline', 'syncing', 'offline', 'syncing', 'offline'] as const) {
    after.activity.set({ phase, problem: null });
  }
  const gone = 'What was stored on this device is gone. The browser may have cleared it.';
  expect(after.said.map(({ message }) => message)).toEqual([
    `${gone} Fetching your journal again…`,
    `${gone} Your journal is fetched again with the next connection.`,
  ]);
  await after.fetchAll();
  expect(after.last()).toBe('Your journal is back.');
  after.ended.abort();
});

it('tells it again after a reload before the end of the fetch', async () => {
  visit(true).ended.abort();
  visit(false).ended.abort();
  const again = visit(false);
  expect(again.last()).toContain('is gone');
  await again.fetchAll();
  expect(again.last()).toBe('Your journal is back.');
  // Good news passes by itself. A loss stays until it is read.
  expect(again.said.at(-1)).not.toHaveProperty('durationMs');
  again.ended.abort();
  expect(visit(true).said).toEqual([]);
});

it('tells that corrections may be lost, which nobody can count', async () => {
  const before = visit(true);
  before.data.overview.set({
    ...nothingUnsent,
    waitingEntries: [entryRow('corrected', 1, { pending: 1, seq: 4 })],
    waitingCount: 1,
  });
  before.ended.abort();
  const after = visit(false);
  after.data.entries.set([entryRow('corrected', 1)]);
  await after.fetchAll();
  expect(after.last()).toBe('Your journal is back. Changes that had not been sent may be lost.');
  expect(after.said.at(-1)).toMatchObject({ variant: 'warning', durationMs: 0 });
});

/** Returns whether the marker of this device says that there is more than it lists. */
async function hasMoreOf(overview: Partial<SyncOverview>): Promise<boolean | undefined> {
  const now = visit(true);
  await vi.waitFor(() => expect(readDeviceMarker('owner')).not.toBeNull());
  now.data.overview.set({ ...nothingUnsent, fetchedOnce: true, ...overview });
  now.ended.abort();
  return readDeviceMarker('owner')?.hasMore;
}

it('does not count a voice note twice, and knows of a correction that waits with its file', async () => {
  const waitFor = (...waitingEntries: readonly Entry[]) =>
    hasMoreOf({ waitingEntries, files: [voiceJob('spoken')], waitingCount: 2 });
  // The second one is a change that the overview does not list.
  expect(await waitFor(entryRow('spoken', 1, unsent))).toBe(true);
  expect(await waitFor(entryRow('spoken', 1, unsent), entryRow('two', 1, unsent))).toBe(false);
  const corrected = entryRow('spoken', 1, { pending: 1, seq: 4 });
  expect(await waitFor(corrected, entryRow('two', 1, unsent))).toBe(true);
});

it('counts a recording without its entry, or refused, as the overview does', async () => {
  const files = [voiceJob('spoken', { stage: 'failed' })];
  const recording = { files, parkedCount: 1, recordingCount: 1 };
  expect(await hasMoreOf(recording)).toBe(false);
  const waitingEntries = [entryRow('spoken', 1, unsent)];
  expect(await hasMoreOf({ ...recording, waitingEntries, waitingCount: 1 })).toBe(false);
});

it('counts no recording that waits for its owner’s decision, as the overview does', async () => {
  const files = [voiceJob('recovered', { stage: 'recorded' })];
  const waitingEntries = [entryRow('edited', 1, { pending: 1, seq: 4 })];
  // The edit is a change that the marker does not list.
  expect(await hasMoreOf({ files, waitingEntries, waitingCount: 1 })).toBe(true);
});

it('knows of voice notes that are too many to list', async () => {
  const ids = Array.from({ length: 60 }, (_, index) => `spoken-${String(index)}`);
  const files = ids.map((id) => voiceJob(id));
  const waitingEntries = ids.slice(0, 50).map((id) => entryRow(id, 1, unsent));
  expect(await hasMoreOf({ files, waitingEntries, waitingCount: 60 })).toBe(true);
});

it('tells that deletions may be lost', async () => {
  const before = visit(true);
  before.data.overview.set({ ...nothingUnsent, hiddenCount: 1 });
  before.ended.abort();
  const after = visit(false);
  await after.fetchAll();
  expect(after.last()).toBe('Your journal is back. Changes that had not been sent may be lost.');
});

it('notes at once which documents are unsent', async () => {
  const now = visit(true);
  await vi.waitFor(() => expect(readDeviceMarker('owner')).toMatchObject({ entries: [] }));
  leaveUnsent(now);
  expect(readDeviceMarker('owner')).toEqual({
    entries: [
      ['pet', 'one'],
      ['pet', 'sent later'],
    ],
    recordings: [['pet', 'spoken']],
    pets: ['p1'],
    hasMore: true,
  });
  now.data.overview.set(nothingUnsent);
  expect(readDeviceMarker('owner')).toMatchObject({ entries: [], pets: [], hasMore: false });
  now.ended.abort();
  leaveUnsent(now);
  expect(readDeviceMarker('owner')).toMatchObject({ entries: [] });
});

it('ignores an invalid marker', () => {
  for (const stored of ['', '{', '[]', '5', '{"entries":[["a"]],"recordings":[],"pets":[]}']) {
    localStorage.setItem('pawpals:here:owner', stored);
    expect(readDeviceMarker('owner')).toBeNull();
  }
});
