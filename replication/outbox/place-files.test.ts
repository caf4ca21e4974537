import { writeRecord } from '../../store/change-documents.ts';
import { describe, expect, it, vi } from 'vitest';
import { pictureJobId } from '../../schemas/local/outbox-job.ts';
import { placeFileJobId, type PlaceFileJob } from '../../schemas/local/local-record.ts';
import { placeFile } from '../../schemas/local/place-file.ts';
import { setUpLedger } from '../../tests/support/setups/ledger-setup.ts';
import { createMemoryRemoteFiles, md5Of } from '../../tests/support/fakes/memory-remote-files.ts';
import { lostWith, refusedWith } from '../../tests/support/setups/outbox-setup.ts';
import { voiceJob } from '../../tests/support/fixtures/file-records.ts';
import { newEntry, newPet } from '../../tests/support/fixtures/sync-documents.ts';
import { bytesOf, onlyJob, pictureOf, textOf } from '../../tests/support/setups/test-outbox.ts';
import type { RemoteFiles } from '../ports.ts';
import { newId } from '../../src/platform/new-id.ts';
import { createOutbox } from '../../store/files/outbox.ts';
import { createFilePlacements } from './place-files.ts';

const picture = 'pets/old/images/profile.jpg';
const recording = 'pets/old/audios/voice-note-5.webm';
const { signal } = new AbortController();
const hourMs = 3_600_000;
const full = new Error('QuotaExceededError');

/** A restored pet with its voice note, which wait for the files of the originals. */
async function setUp() {
  const { store, deps } = setUpLedger();
  let nowMs = 1_000;
  const outbox = createOutbox({ store, files: store.files, now: () => nowMs, newId });
  const server = createMemoryRemoteFiles().connect();
  const download = vi.fn<RemoteFiles['download']>((...asked) => server.download(...asked));
  store.put(newPet('new'));
  const fields = { type: 'voice-note', contentType: 'audio/webm' };
  store.put(newEntry({ id: 'e1', petId: 'new', fields }));
  const version = { profilePicturePath: picture, profilePictureVersion: md5Of(bytesOf('Rex')) };
  const holders = {
    pets: { collection: 'pets', id: 'new', petId: null, fields: version },
    entries: { collection: 'entries', id: 'e1', petId: 'new', fields: { fileLocation: recording } },
  } as const;
  const { log } = deps;
  const online = { isOnline: () => true };
  const placements = createFilePlacements({
    ...deps,
    outbox,
    files: { ...server, download },
    clock: { now: () => nowMs },
    correctedNow: () => nowMs,
    online,
    random: () => 0.5,
  });
  return {
    store,
    outbox,
    download,
    advance: (ms: number) => void (nowMs += ms),
    upload: (objectName: string, text: string) =>
      server.upload({ objectName, contentType: 'image/jpeg', bytes: bytesOf(text) }, signal),
    /** Requests its file from its present or former place. */
    wantFile: (of: keyof typeof holders) =>
      writeRecord(store, ...placeFile(holders[of], of === 'pets' ? 'old' : 'e0', nowMs)),
    /** Requests a picture with this record, by default that of another dog. */
    wantPicture: (record: Partial<PlaceFileJob>) =>
      writeRecord(store, placeFileJobId('new'), {
        kind: 'place-file',
        collection: 'pets',
        documentId: 'new',
        sourceId: 'old',
        objectName: picture,
        version: md5Of(bytesOf('Rex')),
        chosenAtMs: nowMs,
        ...record,
      }),
    wanted: async () => [...(await store.listRecords('place-file')).keys()],
    /** The text of each job in the queue, by its object name. */
    sent: async () => {
      const jobs = await outbox.queue.list();
      const texts = jobs.map(async (job) => textOf(await outbox.queue.readBytes(job)));
      const all = await Promise.all(texts);
      return Object.fromEntries(jobs.map(({ objectName }, index) => [objectName, all[index]]));
    },
    log,
    online,
    /** A pass that skips the pauses, unless it says otherwise. */
    pass: (isUrgent = true) => placements.run({ isUrgent, signal }),
  };
}

const newPicture = 'pets/new/images/profile.jpg';
const newRecording = 'pets/new/audios/voice-note-5.webm';

describe('a file that only the server has', () => {
  it.each([
    ['without an answer', lostWith('unavailable')],
    ['refused', refusedWith('http-403')],
  ])('is brought by the next pass if it is %s, and holds up no other', async (_, error) => {
    const device = await setUp();
    await device.upload(picture, 'Rex');
    await device.upload(recording, 'woof');
    await device.wantFile('pets');
    await device.wantFile('entries');
    device.download.mockRejectedValueOnce(error);
    await device.pass();
    expect(await device.wanted()).toEqual(['place-file:new']);
    expect(await device.sent()).toEqual({ [newRecording]: 'woof' });
    await device.pass();
    expect(await device.wanted()).toEqual([]);
    expect(await device.sent()).toEqual({ [newPicture]: 'Rex', [newRecording]: 'woof' });
  });

  it.each([
    ['without an answer', lostWith('unavailable'), [['file-not-placed', { code: 'unavailable' }]]],
    ['refused', refusedWith('http-403'), [['file-not-placed', { code: 'http-403' }]]],
    ['missing', null, []],
  ])('O8.1 is asked for with growing pauses while it is %s', async (_, error, logged) => {
    const device = await setUp();
    if (error !== null) device.download.mockRejectedValue(error);
    await device.wantFile('pets');
    expect(await device.pass(false)).toBe(1_000 + 1_125);
    expect(device.log.mock.calls).toEqual(logged);
    for (let count = 0; count < 9; count += 1) await device.pass(false);
    expect(device.download).toHaveBeenCalledTimes(1);
    device.advance(1_125);
    expect(await device.pass(false)).toBe(2_125 + 2_125);
    expect(device.download).toHaveBeenCalledTimes(2);
    await device.pass();
    expect(device.download).toHaveBeenCalledTimes(3);
  });

  it('O8.1 is asked for at once after a time without a connection', async () => {
    const device = await setUp();
    device.online.isOnline = () => false;
    device.download.mockRejectedValueOnce(lostWith('unavailable'));
    await device.upload(picture, 'Rex');
    await device.wantFile('pets');
    expect(await device.pass(false)).toBeNull();
    expect(await device.pass(false)).toBeNull();
    expect(await device.sent()).toEqual({ [newPicture]: 'Rex' });
  });

  it('makes room for another one that its owner has restored meanwhile', async () => {
    const device = await setUp();
    const another = 'pets/old/images/profile.png';
    await device.upload(picture, 'Rex');
    await device.upload(another, 'Rex as a puppy');
    await device.wantFile('pets');
    const download = device.download.getMockImplementation();
    device.download.mockImplementationOnce(async (...asked) => {
      await device.wantPicture({ objectName: another, version: md5Of(bytesOf('Rex as a puppy')) });
      return download?.(...asked) ?? null;
    });
    await device.pass();
    expect(await device.wanted()).toEqual(['place-file:new']);
    await device.pass();
    expect(Object.values(await device.sent())).toEqual(['Rex as a puppy']);
  });

  it('O8.1 is asked for by no timer while there is no connection', async () => {
    const device = await setUp();
    device.download.mockRejectedValue(lostWith('unavailable'));
    await device.wantFile('pets');
    expect(await device.pass(false)).toBe(1_000 + 1_125);
    device.online.isOnline = () => false;
    device.advance(1_125);
    expect(await device.pass(false)).toBeNull();
  });

  it('is looked for during a day if the server does not have it', async () => {
    const device = await setUp();
    await device.wantFile('pets');
    device.advance(24 * hourMs);
    await device.pass();
    expect(await device.wanted()).toEqual(['place-file:new']);
    device.advance(1);
    expect(await device.pass()).toBeNull();
    expect(await device.wanted()).toEqual([]);
    expect(await device.sent()).toEqual({});
  });

  it('stays wanted if the device could not store it, and holds up no other', async () => {
    const device = await setUp();
    await device.upload(recording, 'woof');
    await device.wantFile('entries');
    vi.spyOn(device.outbox.voiceNotes, 'sendAgain').mockRejectedValueOnce(full);
    await device.upload(picture, 'Rex');
    await device.wantFile('pets');
    await device.pass();
    expect(await device.wanted()).toEqual(['place-file:e1']);
    expect(await device.sent()).toEqual({ [newPicture]: 'Rex' });
    await device.pass();
    expect(await device.sent()).toEqual({ [newPicture]: 'Rex', [newRecording]: 'woof' });
  });

  it('stays wanted if its record changes meanwhile', async () => {
    const device = await setUp();
    await device.upload(recording, 'woof');
    await device.wantFile('entries');
    // A pass that plans without end must not keep the test from failing.
    const commit = vi.spyOn(device.store, 'commit').mockImplementationOnce(async () => false);
    commit.mockRejectedValueOnce(new Error('again'));
    await device.pass();
    expect(commit).toHaveBeenCalledTimes(1);
    commit.mockRestore();
    await device.pass();
    expect(await device.sent()).toEqual({ [newRecording]: 'woof' });
  });
});

describe('a picture that was still pending for the previous dog', () => {
  it('is taken along, and its job goes only after that', async () => {
    const device = await setUp();
    await device.outbox.addPicture(pictureOf('old', 'newer than Rex'));
    await device.wantFile('pets');
    vi.spyOn(device.store, 'commit').mockRejectedValueOnce(full);
    await device.pass();
    expect(await device.sent()).toEqual({ [picture]: 'newer than Rex' });
    expect(await device.wanted()).toEqual(['place-file:new']);
    await device.pass();
    expect(await device.sent()).toEqual({ [newPicture]: 'newer than Rex' });
    expect(await onlyJob(device.outbox)).toMatchObject({ id: pictureJobId('new'), petId: 'new' });
    expect(await device.wanted()).toEqual([]);
    expect(device.download).not.toHaveBeenCalled();
  });

  it('is taken along by the next pass if its job changes meanwhile', async () => {
    const device = await setUp();
    await device.outbox.addPicture(pictureOf('old', 'newer than Rex'));
    await device.wantFile('pets');
    const commit = vi.spyOn(device.store, 'commit');
    const { queue } = device.outbox;
    vi.spyOn(queue, 'readBytes').mockImplementationOnce(async (job) => {
      await queue.move(job, { attempts: 1 });
      // A pass that plans without end must not keep the test from failing.
      commit.mockImplementationOnce(async () => false).mockRejectedValueOnce(new Error('again'));
      return bytesOf('newer than Rex');
    });
    await device.pass();
    expect(commit).toHaveBeenCalledTimes(2);
    commit.mockRestore();
    await device.pass();
    expect(await device.sent()).toEqual({ [newPicture]: 'newer than Rex' });
    expect(await device.wanted()).toEqual([]);
  });

  it('does not replace one that was chosen for the new dog meanwhile', async () => {
    const device = await setUp();
    await device.outbox.addPicture(pictureOf('old', 'newer than Rex'));
    await device.wantFile('pets');
    await device.outbox.addPicture({ ...pictureOf('new', 'the newest'), chosenAtMs: 1_001 });
    await device.pass();
    expect(await device.sent()).toMatchObject({ [newPicture]: 'the newest' });
    expect(await device.wanted()).toEqual([]);
  });
});

describe('a file that is on this device', () => {
  const md5 = md5Of(bytesOf('Rex'));
  const file = { bytes: bytesOf('Rex'), contentType: 'image/jpeg', md5 };
  type Device = Awaited<ReturnType<typeof setUp>>;

  it.each([
    [
      'a picture that was kept as a version',
      ({ outbox, store }: Device) =>
        store.commit({ bytes: [outbox.caches.asVersion({ petId: 'old', md5 }, file)] }),
    ],
    ['a cached picture', ({ outbox }: Device) => outbox.caches.keepPicture('old', file)],
  ])('is placed without the network: %s', async (_, keep) => {
    const device = await setUp();
    device.download.mockRejectedValue(lostWith('unavailable'));
    await keep(device);
    await device.wantFile('pets');
    await device.pass();
    expect(await device.sent()).toEqual({ [newPicture]: 'Rex' });
    expect(await device.wanted()).toEqual([]);
    expect(device.download).not.toHaveBeenCalled();
  });

  it('is placed without the network: a cached recording', async () => {
    const device = await setUp();
    device.download.mockRejectedValue(lostWith('unavailable'));
    const bytes = bytesOf('woof');
    const sound = { contentType: 'audio/webm', bytes, md5: md5Of(bytes) };
    await device.outbox.caches.keepRecording('e0', recording, sound);
    await device.wantFile('entries');
    await device.pass();
    expect(await device.sent()).toEqual({ [newRecording]: 'woof' });
    expect(await onlyJob(device.outbox)).toMatchObject({ entryId: 'e1', stage: 'queued' });
    expect(await device.wanted()).toEqual([]);
    expect(device.download).not.toHaveBeenCalled();
  });
});

describe('which picture is placed', () => {
  const version = md5Of(bytesOf('Rex'));
  const cachedAs = (text: string) => {
    const bytes = bytesOf(text);
    return { bytes, contentType: 'image/jpeg', md5: md5Of(bytes) };
  };

  it.each<[string, Partial<PlaceFileJob>, string | null, string | null]>([
    ['the one that was shown, not a later one of the cache', { version }, 'later', 'Rex'],
    ['the cached one if it is not known which was shown', { version: null }, 'later', 'later'],
    ['the last one of the other dog', { version: 'gone' }, null, 'Rex'],
    ['the one that was shown by the dog itself', { version, sourceId: 'new' }, null, 'Rex'],
    ['no other one of the dog itself', { version: 'gone', sourceId: 'new' }, null, null],
    ['none of its cache, unknown', { version: null, sourceId: 'new' }, 'later', null],
    ['none that the server lacks', { version, sourceId: 'new', objectName: 'x' }, null, null],
  ])('O8.1 %s', async (...row) => {
    const [, record, cached, placed] = row;
    const device = await setUp();
    await device.upload(picture, 'Rex');
    const petId = record.sourceId ?? 'old';
    if (cached !== null) await device.outbox.caches.keepPicture(petId, cachedAs(cached));
    await device.wantPicture(record);
    await device.pass();
    expect(await device.sent()).toEqual(placed === null ? {} : { [newPicture]: placed });
    expect(await device.wanted()).toHaveLength(placed === null ? 1 : 0);
  });

  it('O7.2 it replaces the picture of its dog like one that its owner has not seen', async () => {
    const device = await setUp();
    device.store.put(newPet('new', { profilePictureVersion: 'shown' }));
    await device.upload(picture, 'Rex');
    await device.wantFile('pets');
    await device.pass();
    expect(await onlyJob(device.outbox)).toMatchObject({ replaces: [], createdAtMs: 1_000 });
  });

  it.each([
    ['its own, if the dog is there', 'new', false, [version]],
    ['its own, but not if the dog is gone', 'new', true, []],
    ['that of another dog, which stays with that one', 'old', false, []],
  ])('O7.1 becomes a version if another was chosen later: %s', async (...row) => {
    const [, sourceId, deleted, kept] = row;
    const device = await setUp();
    const { store, outbox } = device;
    await device.wantPicture({ sourceId });
    if (deleted) store.put({ ...newPet('new'), deleted });
    await outbox.addPicture({ ...pictureOf('new', 'the newest'), chosenAtMs: 1_001 });
    device.advance(24 * hourMs + 1);
    await device.pass();
    expect(await device.wanted()).toEqual([]);
    const versions = [...(await store.listRecords('conflict-version')).values()];
    expect(versions.map(({ fields }) => fields['profilePictureVersion'])).toEqual(kept);
  });

  it('O8.1 none is asked for without a name', async () => {
    const device = await setUp();
    await device.wantPicture({ objectName: null });
    await device.pass();
    expect(device.download).not.toHaveBeenCalled();
    expect(await device.wanted()).toHaveLength(1);
  });

  it('O8.1 the type of a version is that of its name', async () => {
    const device = await setUp();
    const kept = device.outbox.caches.asVersion({ petId: 'old', md5: version }, cachedAs('Rex'));
    await device.store.commit({ bytes: [kept] });
    await device.wantPicture({ objectName: 'pets/old/images/profile.png' });
    await device.pass();
    expect(await onlyJob(device.outbox)).toMatchObject({ contentType: 'image/png' });
  });
});

describe('the recording of an entry', () => {
  it.each([
    ['has a file already', { fileLocation: newRecording }, recording],
    ['never had one', {}, null],
  ])('O8.1 is not looked for if the entry %s', async (_, fields, fileLocation) => {
    const device = await setUp();
    device.store.put(newEntry({ id: 'e1', petId: 'new', fields }));
    const holder = { collection: 'entries', id: 'e1', petId: 'new' } as const;
    const wanted = fileLocation === null ? {} : { fileLocation };
    await writeRecord(device.store, ...placeFile({ ...holder, fields: wanted }, 'e0', 1_000));
    await device.pass();
    expect(await device.wanted()).toEqual([]);
    expect(device.download).not.toHaveBeenCalled();
  });

  it('O8.1 has the type of the file where the entry names none', async () => {
    const device = await setUp();
    device.store.put(newEntry({ id: 'e1', petId: 'new' }));
    await device.upload(recording, 'woof');
    await device.wantFile('entries');
    await device.pass();
    expect(await onlyJob(device.outbox)).toMatchObject({ contentType: 'image/jpeg' });
  });

  it.each([
    ['new', 'e1', 'uploaded'],
    ['old', 'e0', 'transcribing'],
  ])('O8.1 a job of %s without bytes then belongs to %s', async (petId, entryId, stage) => {
    const device = await setUp();
    const job = voiceJob('e0', { petId, objectName: recording, stage: 'transcribing' });
    await device.store.commit({ jobs: [{ from: null, to: job }] });
    await device.wantFile('entries');
    await device.pass();
    expect(await onlyJob(device.outbox)).toMatchObject({ entryId, stage });
  });
});
