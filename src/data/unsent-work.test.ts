import { beforeEach, describe, expect, it, vi } from 'vitest';
import { fakeData, nothingUnsent } from '../../tests/support/fakes/fake-data.ts';
import { writeShare } from '../../replication/shares/share-database.ts';
import { petVersion, pictureJob, voiceJob } from '../../tests/support/fixtures/file-records.ts';
import { stubWebStorage } from '../../tests/support/setups/web-storage.ts';
import { change, clean, expectLive, setUpData } from '../../tests/support/setups/data-setup.ts';
import { setUpFiles } from '../../tests/support/setups/files-setup.ts';
import { bytesOf, onlyJob } from '../../tests/support/setups/test-outbox.ts';
import { failWrite } from '../../tests/support/fakes/failing-writes.ts';
import { lazyService } from '../lib/async/lazy-service.ts';
import type { SyncOverview } from './queries/queries.ts';
import { createQueries } from './queries/rx-queries.ts';
import { writeDraft } from '../lib/draft.ts';
import { withoutTexts } from './shared-items.ts';
import { readUnsent, watchUnsent } from './unsent-work.ts';

const version = { ...petVersion(), id: 'v' };

it('the unsent work is read with the files that wait, whose code is loaded first', async () => {
  const { queries, files } = await setUpData();
  const load = vi.fn<typeof files.load>(async () => {
    files.jobs.set([pictureJob('p1')]);
    return files.load();
  });
  expect(await readUnsent({ uid: 'owner', queries, files: { load } })).toBe('1 picture');
});

it('the deletion of a note whose push had no answer is unsent, and can be sent', async () => {
  const { commands, queries, store } = await setUpData();
  const petId = await commands.createPet({ name: 'Bramble' });
  await change(store, { collection: 'pets', id: petId }, clean(1));
  await commands.deleteEntry(await commands.addNote({ petId, text: 'Ducks' }));
  const data = { uid: 'owner', queries, files: fakeData().files };
  expect(await readUnsent(data)).toBe('1 deletion');
  await expectLive(watchUnsent(data), (unsent) => expect(unsent.isSendable).toBe(true));
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
    const sources = { uid: kit.uid, queries, files };
    return { ...kit, sources, read: () => readUnsent(sources) };
  }

  it('is unsent while another tab makes it', async () => {
    const { read, outbox } = await setUp();
    expect(await read()).toBe('1 recording that is not finished');
    expect(await outbox.recordings.list()).toHaveLength(1);
  });

  it('is assembled once its tab has died, and waits for its owner', async () => {
    const { read, sources, heldIds, outbox } = await setUp();
    // The browser releases the lock.
    heldIds.delete('other-tab');
    expect(await read()).toBe('1 recording that is not finished');
    expect(await onlyJob(outbox)).toMatchObject({ entryId: 'other-tab', stage: 'recorded' });
    const ways = { isSendable: false, isExportable: true };
    await expectLive(watchUnsent(sources), (unsent) => expect(unsent).toMatchObject(ways));
  });

  it('is watched with the changes of the overview', async () => {
    const data = fakeData();
    const live = watchUnsent(data);
    await expectLive(live, (unsent) => expect(unsent.text).toBe(''));
    const stop = live.subscribe(() => undefined);
    data.files.voice.unfinished.set(2);
    data.overview.set({ ...nothingUnsent, waitingCount: 1 });
    const text = '1 note and 2 recordings that are not finished';
    await vi.waitFor(() => expect(live.getSnapshot()?.text).toBe(text));
    stop();
  });

  it('is asked for together with the items that another app has shared', async () => {
    const { read, files, uid, heldIds } = await setUp();
    const item = { id: 's1', createdAtMs: Date.now(), texts: ['Ducks'], files: [] };
    await writeShare({ ...item, owner: uid }, Date.now());
    const shared = '1 unused shared item (in no export)';
    expect(await read()).toBe(`1 recording that is not finished and ${shared}`);
    heldIds.delete('other-tab');
    expect(await read()).toBe(`1 recording that is not finished and ${shared}`);
    await files.shared.keepRest('s1', withoutTexts);
    expect(await read()).toBe('1 recording that is not finished');
  });

  it('is that of the last question, whichever is answered last', async () => {
    const data = fakeData();
    const answers: ((shared: readonly string[]) => void)[] = [];
    const list = () => new Promise<readonly string[]>((resolve) => void answers.push(resolve));
    const live = watchUnsent({
      ...data,
      files: { load: async () => ({ voice: { recover: async () => 0 }, shared: { list } }) },
    });
    const stop = live.subscribe(() => undefined);
    data.overview.set({ ...nothingUnsent, versions: [version] });
    await vi.waitFor(() => expect(answers).toHaveLength(2));
    answers[1]?.(['s1', 's2']);
    answers[0]?.(['s1']);
    const text = '1 other version and 2 unused shared items (in no export)';
    await vi.waitFor(() => expect(live.getSnapshot()?.text).toBe(text));
    stop();
  });

  it('delays the answer that there is nothing, until it is known', () => {
    const data = fakeData();
    const live = watchUnsent({ ...data, files: { load: () => new Promise(() => undefined) } });
    const stop = live.subscribe(() => undefined);
    expect(live.getSnapshot()).toBeUndefined();
    data.overview.set({ ...nothingUnsent, waitingCount: 1 });
    expect(live.getSnapshot()?.text).toBe('1 note');
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
    expect(await read()).toBe('1 recording that is not finished');
    expect(await outbox.queue.list()).toEqual([]);
    // Once the device has room again, it is assembled, and offered.
    expect(await read()).toBe('1 recording that is not finished');
    expect(await outbox.queue.list()).toHaveLength(1);
  });
});

it.each([
  ['a note', { waitingCount: 1 }, { isSendable: true, isExportable: true }],
  ['what the server refused', { parkedCount: 1 }, { isSendable: false, isExportable: true }],
  [
    'a note of a dog that the server refused',
    { waitingCount: 1, parkedCount: 1, heldBackCount: 1 },
    { isSendable: false, isExportable: true },
  ],
  ['another version', { versions: [version] }, { isSendable: false, isExportable: true }],
  ['a deletion', { waitingCount: 1, deletedCount: 1 }, { isSendable: true, isExportable: false }],
  ['a hidden deletion', { hiddenCount: 1 }, { isSendable: true, isExportable: false }],
  ['the deletion of a dog', { leavingCount: 1 }, { isSendable: true, isExportable: false }],
])('%s can be sent, or exported, or both', async (_, part, ways) => {
  const data = fakeData();
  data.overview.set({ ...nothingUnsent, ...part });
  await expectLive(watchUnsent(data), (unsent) => expect(unsent).toMatchObject(ways));
});

it('an unfinished recording can be exported', async () => {
  const data = fakeData();
  data.files.voice.unfinished.set(1);
  const ways = { isSendable: false, isExportable: true, hasShared: false };
  await expectLive(watchUnsent(data), (unsent) => expect(unsent).toMatchObject(ways));
});

it('a shared item is in no export', async () => {
  const data = fakeData();
  data.files.shared.set('s1', { id: 's1', createdAtMs: 1, texts: ['Ducks'], files: [] });
  const ways = { isSendable: false, isExportable: false, hasShared: true };
  await expectLive(watchUnsent(data), (unsent) => expect(unsent).toMatchObject(ways));
});

describe('the unsent work', () => {
  beforeEach(() => stubWebStorage());

  const textOf = (part: Partial<SyncOverview>) => {
    const data = fakeData();
    data.overview.set({ ...nothingUnsent, ...part });
    return readUnsent(data);
  };

  it('has the drafts of its owner, which are not sent', async () => {
    writeDraft({ owner: 'owner', name: 'p1.edit.e1' }, 'Ducks');
    writeDraft({ owner: 'other', name: 'p1' }, 'Geese');
    expect(await textOf({})).toBe('1 draft that is not saved');
  });

  it('is unknown until the files are read', () => {
    const data = fakeData();
    data.overview.set({ ...nothingUnsent, files: null, waitingCount: 1 });
    expect(watchUnsent(data).getSnapshot()).toBeUndefined();
  });

  it.each<[string, Partial<SyncOverview>]>([
    ['2 notes', { waitingCount: 1, parkedCount: 1 }],
    ['1 recording', { waitingCount: 1, files: [voiceJob('e1')] }],
    ['1 picture', { waitingCount: 1, files: [pictureJob('p1')] }],
    ['2 restored or moved files', { waitingCount: 2, placingCount: 2 }],
    ['1 change to a dog', { waitingCount: 1, petCount: 1 }],
    ['1 note and 3 deletions', { waitingCount: 3, deletedCount: 2, hiddenCount: 1 }],
    ['2 deletions of dogs', { leavingCount: 2 }],
    ['1 other version and 2 deletions', { versions: [version], hiddenCount: 2 }],
    ['1 other version', { versions: [version] }],
    ['', {}],
    [
      '3 notes, 2 recordings, 1 picture, 2 changes to dogs and 1 other version',
      {
        waitingCount: 5,
        parkedCount: 3,
        petCount: 2,
        files: [voiceJob('e1'), voiceJob('e2'), pictureJob('p1')],
        versions: [version],
      },
    ],
  ])('lists what only this device has, without zeros: %s', async (text, part) => {
    expect(await textOf(part)).toBe(text);
  });
});
