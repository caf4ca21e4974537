import { beforeEach, describe, expect, it, vi } from 'vitest';
import { cell } from '../../tests/support/fakes/cell.ts';
import { fakeData, nothingUnsent } from '../../tests/support/fakes/fake-data.ts';
import { petVersion, pictureJob, voiceJob } from '../../tests/support/fixtures/file-records.ts';
import { storedPet } from '../../tests/support/fixtures/stored-documents.ts';
import { stubWebStorage } from '../../tests/support/setups/web-storage.ts';
import { change, clean, expectLive, setUpData } from '../../tests/support/setups/data-setup.ts';
import { setUpFiles } from '../../tests/support/setups/files-setup.ts';
import { bytesOf, onlyJob } from '../../tests/support/setups/test-outbox.ts';
import { failWrite } from '../../tests/support/fakes/failing-writes.ts';
import { lazyService } from '../lib/async/lazy-service.ts';
import type { SyncOverview } from './queries/queries.ts';
import { createQueries } from './queries/rx-queries.ts';
import { writeDraft } from '../lib/draft.ts';
import {
  countUnsentWork,
  hasUnsent,
  readUnsentWork,
  unsentSummary,
  unsentText,
  watchUnfinished,
  type UnsentWork,
} from './unsent-work.ts';

const nothing: UnsentWork = { changes: 0, otherVersions: 0, unfinished: 0, drafts: 0 };
const version = { ...petVersion(), id: 'v' };
const pet = storedPet({ name: 'Bramble' });

describe('the unsent work', () => {
  it('counts changes that wait, are parked or delete a dog, other versions, and drafts of its owner', () => {
    stubWebStorage();
    for (const name of ['note.p1', 'note.p2']) writeDraft({ owner: 'owner', name }, 'Ducks');
    writeDraft({ owner: 'other', name: 'note.p1' }, 'Geese');
    const counts = { waitingCount: 1, parkedCount: 2, leavingCount: 4 };
    const overview = { ...nothingUnsent, ...counts, versions: [version, version, version] };
    expect(countUnsentWork(overview, 'owner', 1)).toEqual({
      changes: 7,
      otherVersions: 3,
      unfinished: 1,
      drafts: 2,
    });
  });

  it('is read with the files that wait, whose code is loaded first', async () => {
    const { queries, files } = await setUpData();
    const load = vi.fn<typeof files.load>(async () => {
      files.jobs.set([pictureJob('p1')]);
      return files.load();
    });
    const work = await readUnsentWork({ uid: 'owner', queries, files: { load } });
    expect(work).toEqual({ ...nothing, changes: 1 });
  });

  it.each<[string, Partial<UnsentWork>]>([
    ['1 change not sent yet', { changes: 1 }],
    ['2 other versions kept here', { otherVersions: 2 }],
    ['1 recording not finished', { unfinished: 1 }],
    ['1 draft not finished', { drafts: 1 }],
    ['2 changes not sent yet and 3 drafts not finished', { changes: 2, drafts: 3 }],
  ])('is told as: %s', (text, part) => {
    expect(hasUnsent({ ...nothing, ...part })).toBe(true);
    expect(unsentText({ ...nothing, ...part })).toBe(text);
  });

  it('can be none', () => {
    expect(hasUnsent(nothing)).toBe(false);
    expect(unsentText(nothing)).toBe('');
  });
});

describe('a recording that is not finished', () => {
  /** The files of this tab are open. Another tab of the same owner has begun a recording. */
  async function setUp() {
    const kit = await setUpFiles();
    await change(kit.store, { collection: 'pets', id: kit.petId }, clean(1));
    const files = lazyService(async () => kit.files);
    const onReadError = vi.fn<(error: unknown) => void>();
    const queries = createQueries({ collections: kit.database, files, onReadError });
    await files.load();
    kit.heldIds.add('other-tab');
    const recording = { id: 'other-tab', petId: kit.petId, contentType: 'audio/webm' };
    await kit.outbox.recordings.begin({ ...recording, startedAtMs: 1 });
    const piece = { recordingId: recording.id, index: 0, bytes: bytesOf('ducks'), untilMs: 60_000 };
    await kit.outbox.recordings.append(piece);
    const read = () => readUnsentWork({ uid: kit.uid, queries, files });
    return { ...kit, read };
  }

  it('is unsent while another tab makes it', async () => {
    const { read, outbox } = await setUp();
    expect(await read()).toEqual({ ...nothing, unfinished: 1 });
    expect(await outbox.recordings.list()).toHaveLength(1);
  });

  it('is assembled, and a file that waits, once its tab has died', async () => {
    const { read, heldIds, outbox } = await setUp();
    // The browser releases the lock.
    heldIds.delete('other-tab');
    expect(await read()).toEqual({ ...nothing, changes: 1 });
    expect(await onlyJob(outbox)).toMatchObject({ entryId: 'other-tab', stage: 'recorded' });
  });

  it('is watched with the changes of the overview', async () => {
    const { files } = fakeData();
    const overview = cell(nothingUnsent);
    const live = watchUnfinished(overview, files);
    await expectLive(live, (count) => expect(count).toBe(0));
    const stop = live.subscribe(() => undefined);
    files.voice.unfinished.set(1);
    overview.set({ ...nothingUnsent, waitingCount: 1 });
    await vi.waitFor(() => expect(live.getSnapshot()).toBe(1));
    stop();
  });

  it('is unsent if a full device could not assemble it', async () => {
    const { read, heldIds, outbox, database, files, petId } = await setUp();
    await outbox.recordings.discard('other-tab');
    heldIds.clear();
    const recording = await files.voice.begin({ petId, contentType: 'audio/webm' });
    await recording.append(bytesOf('ducks'), 60_000);
    failWrite(database, 0);
    await expect(recording.finish(60_000)).rejects.toMatchObject({ code: 'storage' });
    vi.restoreAllMocks();
    failWrite(database, 0);
    expect(await read()).toEqual({ ...nothing, unfinished: 1 });
    // Once the device has room again, it is assembled, and offered.
    expect(await read()).toEqual({ ...nothing, changes: 1 });
  });
});

describe('the summary of unsent work', () => {
  beforeEach(() => stubWebStorage());

  it('has the drafts, which the cloud does not have', () => {
    writeDraft({ owner: 'owner', name: 'p1.edit.e1' }, 'Ducks');
    expect(unsentSummary(nothingUnsent, 'owner', 0)).toBe('1 draft that is not saved');
  });

  it('has the recordings that are not finished', () => {
    const summary = '2 recordings that are not finished';
    expect(unsentSummary(nothingUnsent, 'owner', 2)).toBe(summary);
  });

  it('is unknown until the files are read', () => {
    const unread = { ...nothingUnsent, files: null, waitingCount: 1 };
    expect(unsentSummary(undefined, 'owner', 0)).toBeNull();
    expect(unsentSummary(unread, 'owner', 0)).toBeNull();
    expect(unsentSummary(nothingUnsent, 'owner', 0)).toBe('');
  });

  it.each<[string, Partial<SyncOverview>]>([
    ['2 notes', { waitingCount: 1, parkedCount: 1 }],
    ['1 recording', { waitingCount: 1, files: [voiceJob('e1')] }],
    ['1 picture', { waitingCount: 1, files: [pictureJob('p1')] }],
    ['2 restored or moved files', { waitingCount: 2, placingCount: 2 }],
    ['1 change to a dog', { waitingCount: 1, waitingPets: [pet] }],
    ['1 other version', { versions: [version] }],
    [
      '3 notes, 2 recordings, 1 picture, 2 changes to dogs and 1 other version',
      {
        waitingCount: 5,
        parkedCount: 3,
        waitingPets: [pet],
        parkedPets: [pet],
        files: [voiceJob('e1'), voiceJob('e2'), pictureJob('p1')],
        versions: [version],
      },
    ],
  ])('lists what only this device has, without zeros: %s', (summary, part) => {
    expect(unsentSummary({ ...nothingUnsent, ...part }, 'owner', 0)).toBe(summary);
  });
});
