import { describe, expect, it, vi } from 'vitest';
import { asDeleted, type LocalDocument } from '../../schemas/documents/document.ts';
import {
  checkpointId,
  emptyCheckpoint,
  filesHistoryId,
  type PlaceFileJob,
} from '../../schemas/local/local-record.ts';
import { pictureVersion, versionRecord } from '../../schemas/local/conflict-version.ts';
import type { Fields } from '../../schemas/documents/sync-state.ts';
import { entryDeletedCode, type OutboxJob } from '../../schemas/local/outbox-job.ts';
import { deletedEntryFileKeptMs } from '../../schemas/local/remove-file.ts';
import { derivedId } from '../../store/derived-id.ts';
import { deletedRecordingKeptMs } from '../../store/files/voice-note-files.ts';
import { writeRecord } from '../../store/change-documents.ts';
import { md5Of } from '../../tests/support/fakes/memory-remote-files.ts';
import { pictureJob, voiceJob } from '../../tests/support/fixtures/file-records.ts';
import { clean, newEntry, newPet } from '../../tests/support/fixtures/sync-documents.ts';
import { setUpLedger } from '../../tests/support/setups/ledger-setup.ts';
import { bytesOf, onlyJob, putJob, textOf } from '../../tests/support/setups/test-outbox.ts';
import { settleFiles } from './settle-files.ts';

const heirId = await derivedId('e1');

const recording = voiceJob('e1', { petId: 'p1', objectName: 'pets/p1/audios/voice-note-5.webm' });
const picture = pictureJob('p1', { md5: md5Of(bytesOf('chosen')), createdAtMs: 5 });
const entry = clean(newEntry({ id: 'e1', petId: 'p1' }), 2);
const pet = clean(newPet('p1'), 1);

interface Given {
  readonly job?: OutboxJob;
  readonly documents?: readonly LocalDocument[];
}

/** Settles the files of a device that has these. */
async function settled({ job, documents = [] }: Given) {
  const { store, outbox, deps } = setUpLedger();
  if (job !== undefined) await putJob(store, job, bytesOf('chosen'));
  for (const document of documents) store.put(document);
  await settleFiles(deps);
  const removals = async () => [...(await store.listRecords('remove-file')).values()];
  return { store, outbox, deps, removals: await removals() };
}

const ofRecording = { collection: 'entries', documentId: 'e1', objectName: recording.objectName };

describe('a file for which a full device has no room', () => {
  const full = new DOMException('full', 'QuotaExceededError');
  const file = { bytes: bytesOf('sound'), contentType: 'audio/webm', md5: md5Of(bytesOf('sound')) };

  it('O2.5 holds up no other', async () => {
    const { store, outbox, deps } = setUpLedger();
    const ready = clean(newEntry({ id: 'e2', petId: 'p1' }), 3);
    for (const document of [pet, asDeleted(entry), ready]) store.put(document);
    await outbox.caches.keepRecording('e1', recording.objectName, file);
    await putJob(store, voiceJob('e2', { stage: 'recorded' }), bytesOf('kept'));
    vi.spyOn(outbox.voiceNotes, 'requeue').mockRejectedValueOnce(full);
    await settleFiles(deps);
    expect(await onlyJob(outbox)).toMatchObject({ entryId: 'e2', stage: 'queued' });
    const failure = ['file-not-settled', { code: 'QuotaExceededError' }];
    expect(deps.log.mock.calls).toEqual([failure]);
    await settleFiles(deps);
    expect(await outbox.queue.list()).toHaveLength(2);
  });

  it('O6.6 is compared with the restored server by a later pass', async () => {
    const { store, outbox, deps } = setUpLedger();
    const fields = { fileLocation: recording.objectName };
    store.put(clean(newEntry({ id: 'e1', petId: 'p1', fields }), 3));
    await outbox.caches.keepRecording('e1', recording.objectName, file);
    await writeRecord(store, filesHistoryId, { kind: 'files-history', epoch: 'one' });
    await writeRecord(store, checkpointId, { ...emptyCheckpoint, epoch: 'two' });
    vi.spyOn(outbox.voiceNotes, 'requeue').mockRejectedValueOnce(full);
    await settleFiles(deps);
    expect(await outbox.queue.list()).toEqual([]);
    await settleFiles(deps);
    expect(await onlyJob(outbox)).toMatchObject({ entryId: 'e1', stage: 'uploading' });
  });
});

describe('the recording of an entry that was deleted', () => {
  const gone = asDeleted(entry);
  const newDog = newPet('p1');

  it.each<[string, Partial<OutboxJob>, readonly LocalDocument[], boolean]>([
    ['untried, under a dog of the server', { stage: 'queued' }, [pet], true],
    ['untried, under a dog that the server does not have', { stage: 'queued' }, [newDog], false],
    ['untried, under a dog that is not here', { stage: 'recorded' }, [], false],
    ['tried', { stage: 'queued', attempts: 1 }, [newDog], true],
    ['begun', { stage: 'uploading' }, [newDog], true],
    ['refused', { stage: 'failed' }, [pet], true],
  ])('O6.4 O4.5 rests, and its file goes if it may be there: %s', async (...row) => {
    const [, changes, pets, isNamed] = row;
    const job = { ...recording, ...changes };
    const { outbox, removals } = await settled({ job, documents: [...pets, gone] });
    const isAtRest = job.stage === 'failed' || job.stage === 'recorded';
    expect(await onlyJob(outbox)).toEqual({
      ...job,
      stage: isAtRest ? 'uploading' : job.stage,
      nextAttemptAtMs: 1_000 + deletedRecordingKeptMs,
      code: entryDeletedCode,
    });
    const named = { ...ofRecording, notBeforeMs: 1_000 + deletedEntryFileKeptMs };
    expect(removals).toMatchObject(isNamed ? [named] : []);
  });

  it.each<Partial<OutboxJob>>([{ stage: 'transcribing' }, { stage: 'failed', code: 'words-x' }])(
    'O6.1 has been named for removal by the deletion if the entry had the file: %o',
    async (changes) => {
      const { store, outbox, deps } = setUpLedger();
      for (const document of [pet, gone]) store.put(document);
      await store.commit({ jobs: [{ from: null, to: { ...recording, ...changes } }] });
      await settleFiles(deps);
      expect(await onlyJob(outbox)).toMatchObject({ code: entryDeletedCode });
      expect((await store.listRecords('remove-file')).size).toBe(0);
    },
  );

  it('O4.5 moves in the same pass to the entry that takes its place', async () => {
    const heir = clean(newEntry({ id: heirId, petId: 'p1' }), 3);
    const { outbox } = await settled({ job: recording, documents: [pet, gone, heir] });
    expect(await onlyJob(outbox)).toMatchObject({ entryId: heirId, code: null });
  });

  it('O4.5 moves in the same pass also from the cache', async () => {
    const { store, outbox, deps } = setUpLedger();
    const heir = clean(newEntry({ id: heirId, petId: 'p1' }), 3);
    for (const document of [pet, gone, heir]) store.put(document);
    const sound = { bytes: bytesOf('sound'), contentType: 'audio/webm', md5: 'md5' };
    await outbox.caches.keepRecording('e1', recording.objectName, sound);
    await settleFiles(deps);
    expect(await onlyJob(outbox)).toMatchObject({ entryId: heirId, code: null });
  });
});

describe('the recording of an entry that is here', () => {
  it.each([
    [0, 'queued'],
    [1, 'uploading'],
  ])('O1.5 after %s attempts is %s once its entry is written', async (attempts, stage) => {
    const job = { ...recording, stage: 'recorded', attempts } as const;
    const { outbox } = await settled({ job, documents: [pet, entry] });
    expect(await onlyJob(outbox)).toEqual({ ...job, stage });
  });

  it.each<[string, Partial<OutboxJob>, string, boolean]>([
    ['another dog', {}, 'p2', true],
    ['its own dog, since its deletion was undone', { code: entryDeletedCode }, 'p1', false],
  ])('O4.5 O6.4 that moves to %s leaves its file only in another folder', async (...row) => {
    const [, changes, petId, isLeft] = row;
    const job = { ...recording, ...changes };
    const { outbox, removals } = await settled({ job, documents: [pet, { ...entry, petId }] });
    expect(await onlyJob(outbox)).toMatchObject({ petId, code: null });
    expect(removals).toMatchObject(isLeft ? [ofRecording] : []);
  });

  it('O6.5 leaves no file that something else needs under the name of the other dog', async () => {
    const { store, outbox, deps } = setUpLedger();
    await putJob(store, { ...recording, code: entryDeletedCode }, bytesOf('sound'));
    const heir = clean(newEntry({ id: heirId, petId: 'p2' }), 3);
    for (const document of [pet, asDeleted(entry), heir]) store.put(document);
    const placement: PlaceFileJob = {
      kind: 'place-file',
      collection: 'entries',
      documentId: 'other',
      sourceId: 'e1',
      objectName: recording.objectName,
      version: null,
      chosenAtMs: 1,
    };
    await writeRecord(store, 'place-file:other', placement);
    await settleFiles(deps);
    const entryIds = (await outbox.queue.list()).map(({ entryId }) => entryId);
    expect(new Set(entryIds)).toEqual(new Set([heirId, 'e1']));
    expect((await store.listRecords('remove-file')).size).toBe(0);
  });
});

it('O6.4 a recording that is let go leaves the picture of its dog in the cache', async () => {
  const { store, outbox, deps } = setUpLedger();
  await putJob(store, { ...recording, code: entryDeletedCode }, bytesOf('sound'));
  for (const document of [pet, { ...asDeleted(entry), pending: 0 as const }]) store.put(document);
  const shown = { bytes: bytesOf('Rex'), contentType: 'image/jpeg', md5: 'md5' };
  await outbox.caches.keepPicture('p1', shown);
  await settleFiles(deps);
  expect(await outbox.queue.list()).toEqual([]);
  expect(textOf((await outbox.caches.picture('p1'))?.bytes)).toBe('Rex');
});

describe('a picture whose dog is gone', () => {
  const named = { collection: 'pets', documentId: 'p1', objectName: picture.objectName };

  it.each<[string, readonly LocalDocument[], readonly object[]]>([
    ['was on the server', [asDeleted(pet)], [named]],
    ['was never on the server', [asDeleted(newPet('p1'))], []],
    ['is not here', [], []],
  ])('O4.2 O6.4 goes, and its file too if the dog %s', async (_, documents, removals) => {
    const given = await settled({ job: picture, documents });
    expect(await given.outbox.queue.list()).toEqual([]);
    expect(given.removals).toMatchObject(removals);
  });
});

describe('a picture that was chosen before the one that its dog shows', () => {
  const showing = (path: string) =>
    clean(newPet('p1', { profilePicturePath: path, profilePictureVersion: 'later' }, 6), 4);

  it.each([
    ['its own', picture.objectName, 0],
    ['another', 'pets/p1/images/profile.png', 1],
  ])('O7.1 becomes a version; its file stays if %s name is shown', async (_, path, left) => {
    const { store, outbox, removals } = await settled({
      job: picture,
      documents: [showing(path)],
    });
    expect(await outbox.queue.list()).toEqual([]);
    const stamps = { profilePicturePath: 5, profilePictureVersion: 5 };
    expect([...(await store.listRecords('conflict-version')).values()]).toMatchObject([
      { side: 'local', reason: 'other-edit', edits: stamps, keptAtMs: 2_000 },
    ]);
    expect(textOf((await outbox.caches.version(picture))?.bytes)).toBe('chosen');
    expect(removals).toHaveLength(left);
  });
});

describe('a picture that is kept as a version, and shown by its dog after all', () => {
  const fields = {
    profilePicturePath: 'pets/p1/images/profile.png',
    profilePictureVersion: picture.md5,
  };
  const shown = clean(newPet('p1', fields, 9), 4);

  async function withVersion(hasBytes: boolean, job?: OutboxJob, others: Fields = {}) {
    const { store, outbox, deps } = setUpLedger();
    store.put(shown);
    const { objectName, md5 } = picture;
    const version = { objectName, md5, stampMs: 5, side: 'local' } as const;
    const file = { bytes: bytesOf('chosen'), contentType: 'image/png', md5 };
    const bytes = hasBytes ? [outbox.caches.asVersion(picture, file)] : [];
    const [, ofPicture] = pictureVersion(shown, version, 6);
    const edits = Object.fromEntries(Object.keys(others).map((name) => [name, 5]));
    const kept = {
      ...ofPicture,
      fields: { ...ofPicture.fields, ...others },
      edits: { ...ofPicture.edits, ...edits },
    };
    await store.commit({ records: [versionRecord(kept)], bytes });
    if (job !== undefined) await putJob(store, job, bytesOf('waiting'));
    await settleFiles(deps);
    const left = [...(await store.listRecords('conflict-version')).values()];
    return { outbox, left, versions: left.length };
  }

  it('O7.3 is sent under the name and with the time of the edit that shows it', async () => {
    const { outbox, versions } = await withVersion(true);
    expect(versions).toBe(0);
    const job = await onlyJob(outbox);
    expect(job).toMatchObject({ contentType: 'image/png', createdAtMs: 9, md5: picture.md5 });
    expect(textOf(await outbox.queue.readBytes(job))).toBe('chosen');
  });

  it('O7.2 stays a version while another picture waits to overwrite it, which it does not replace', async () => {
    const waiting = { ...picture, md5: md5Of(bytesOf('waiting')), createdAtMs: 20 };
    const words = { description: 'afraid of cows' };
    const { outbox, left } = await withVersion(true, waiting, words);
    expect(left).toMatchObject([{ fields: { ...words, profilePictureVersion: picture.md5 } }]);
    expect(await onlyJob(outbox)).toEqual(waiting);
  });

  it('O7.3 leaves the words that were lost with it a version', async () => {
    const words = { description: 'afraid of cows' };
    const { left } = await withVersion(true, undefined, words);
    expect(left).toMatchObject([{ fields: words, edits: { description: 5 } }]);
    expect(Object.keys(left[0]?.fields ?? {})).toEqual(['description']);
  });

  it('O7.4 stays a version while its bytes are missing', async () => {
    const { outbox, versions } = await withVersion(false);
    expect(versions).toBe(1);
    expect(await outbox.queue.list()).toEqual([]);
  });
});

it('O7.2 a picture that is compared with the restored server does not replace one that its owner chooses meanwhile', async () => {
  const { store, outbox, deps } = setUpLedger();
  const fields = { profilePicturePath: picture.objectName, profilePictureVersion: picture.md5 };
  store.put(clean(newPet('p1', fields, 9), 4));
  const file = { bytes: bytesOf('chosen'), contentType: 'image/jpeg', md5: picture.md5 };
  await outbox.caches.keepPicture('p1', file);
  await writeRecord(store, filesHistoryId, { kind: 'files-history', epoch: 'one' });
  await writeRecord(store, checkpointId, { ...emptyCheckpoint, epoch: 'two' });
  const waiting = { ...picture, md5: md5Of(bytesOf('waiting')), createdAtMs: 20 };
  const commit = store.commit.bind(store);
  vi.spyOn(store, 'commit').mockImplementationOnce(async (writes) => {
    await putJob({ ...store, commit }, waiting, bytesOf('waiting'));
    return commit(writes);
  });
  await settleFiles(deps);
  expect(await onlyJob(outbox)).toEqual(waiting);
  expect(textOf(await outbox.queue.readBytes(waiting))).toBe('waiting');
});

describe('the history of the server', () => {
  it.each([
    ['first', 'one', null, 'one'],
    ['other', 'two', 'one', 'two'],
    ['unknown', null, 'one', 'one'],
  ])('O6.6 a device notes the %s one that it has compared', async (...row) => {
    const [, epoch, before, after] = row;
    const { store, deps } = setUpLedger();
    await writeRecord(store, checkpointId, { ...emptyCheckpoint, epoch });
    if (before !== null) {
      await writeRecord(store, filesHistoryId, { kind: 'files-history', epoch: before });
    }
    await settleFiles(deps);
    expect(await store.readRecord(filesHistoryId)).toEqual({ kind: 'files-history', epoch: after });
  });

  it('O6.6 nothing is written where nothing has changed', async () => {
    const { store, deps } = setUpLedger();
    await writeRecord(store, checkpointId, { ...emptyCheckpoint, epoch: 'one' });
    await writeRecord(store, filesHistoryId, { kind: 'files-history', epoch: 'one' });
    const commit = async () => Promise.reject(new Error('written'));
    await expect(settleFiles({ ...deps, store: { ...store, commit } })).resolves.toBeUndefined();
  });
});
