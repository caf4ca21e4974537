import { writeRecord } from '../../store/change-documents.ts';
import { describe, expect, it } from 'vitest';
import { asDeleted, type LocalDocument } from '../../schemas/documents/document.ts';
import {
  checkpointId,
  deletePetJobId,
  emptyCheckpoint,
  type ConflictVersion,
} from '../../schemas/local/local-record.ts';
import { placeFile } from '../../schemas/local/place-file.ts';
import { deletedEntryFileKeptMs } from '../../schemas/local/remove-file.ts';
import { derivedId } from '../../store/derived-id.ts';
import { failRecord } from '../../tests/support/fakes/failing-writes.ts';
import { createOutboxRig, lostWith } from '../../tests/support/setups/outbox-setup.ts';
import { clean, newEntry } from '../../tests/support/fixtures/sync-documents.ts';
import { bytesOf, onlyJob, pictureOf, textOf } from '../../tests/support/setups/test-outbox.ts';
import { runDeletePetJob } from '../documents/push/delete-pet-job.ts';

const heirId = await derivedId('e1');

const dayMs = 24 * 60 * 60_000;
const signal = new AbortController().signal;

function voiceEntry(id: string, petId = 'p1', fields = {}): LocalDocument {
  const entry = newEntry({ id, petId });
  const { createdDate = 1 } = entry.fields;
  return {
    ...entry,
    fields: { createdDate, type: 'voice-note', transcript: 'waiting', ...fields },
  };
}

/** A recording of e1, whose entry the server has, and an event before an upload is answered. */
async function setUp(duringUpload: (rig: Rig) => Promise<void> | void = () => undefined) {
  const rig: Rig = createOutboxRig({
    wrapFiles: (files) => ({
      ...files,
      upload: async (...args) => {
        const stored = await files.upload(...args);
        await duringUpload(rig);
        return stored;
      },
    }),
  });
  const contentType = 'audio/webm';
  await rig.outbox.recordings.begin({ id: 'e1', petId: 'p1', contentType, startedAtMs: 5 });
  const chunk = { recordingId: 'e1', index: 0, bytes: bytesOf('sound'), untilMs: 500 };
  await rig.outbox.recordings.append(chunk);
  const job = await rig.outbox.recordings.finish('e1', 500);
  rig.store.put(clean(voiceEntry('e1'), 5));
  const fileNames = () => [...rig.server.stored().keys()];
  /** Syncs after {@link deleteEntry}. */
  const tellServer = () => rig.store.put(clean(deleted(rig, 'e1'), 6));
  const wait = async (ms: number) => {
    await rig.clock.advance(ms);
    await rig.pass();
  };
  return { ...rig, objectName: job?.objectName ?? '', fileNames, tellServer, wait };
}

type Rig = ReturnType<typeof createOutboxRig>;

function deleted({ entry }: Pick<Rig, 'entry'>, id: string): LocalDocument {
  const found = entry(id);
  if (found === undefined) throw new Error('not there');
  return asDeleted(found);
}

function deleteEntry(rig: Pick<Rig, 'entry' | 'store'>, id = 'e1'): void {
  rig.store.put(deleted(rig, id));
}

async function deleteDog({ store }: Pick<Rig, 'store'>): Promise<void> {
  await writeRecord(store, deletePetJobId('p1'), { kind: 'delete-pet', petId: 'p1' });
  await runDeletePetJob(store, 'p1');
}

const heard = { text: 'went away', transcript: 'done' };

describe('an entry that is deleted while its recording is uploaded', () => {
  it('O4.5 comes back with its sound, its file and its words', async () => {
    const rig = await setUp(deleteEntry);
    await rig.pass();
    rig.tellServer();
    rig.store.put(clean(voiceEntry(heirId), 7));
    await rig.pass();
    const { objectName } = rig;
    expect(rig.entry(heirId)?.fields).toMatchObject({ fileLocation: objectName, ...heard });
    await rig.wait(deletedEntryFileKeptMs);
    expect(textOf(rig.server.stored().get(objectName)?.bytes)).toBe('sound');
    expect(textOf((await rig.outbox.caches.recording(objectName))?.bytes)).toBe('sound');
    expect(await rig.left()).toEqual([]);
    expect((await rig.store.listRecords('remove-file')).size).toBe(0);
  });

  it.each([
    ['by itself', deleteEntry],
    ['with its dog', deleteDog],
  ])('O6.4 %s, and stays deleted, leaves no file on the server', async (_, remove) => {
    const rig = await setUp(remove);
    await rig.pass();
    rig.tellServer();
    await rig.pass();
    await rig.wait(deletedEntryFileKeptMs);
    expect(rig.fileNames()).toEqual([]);
    await rig.wait(dayMs);
    expect(await rig.outbox.queue.list()).toEqual([]);
    expect(await rig.outbox.caches.recordings()).toEqual([]);
  });

  it('O4.5 brings its sound along when it comes back hours later, after its file was removed', async () => {
    const rig = await setUp(deleteEntry);
    await rig.pass();
    rig.tellServer();
    await rig.pass();
    await rig.wait(dayMs / 2);
    expect(rig.fileNames()).toEqual([]);
    rig.store.put(clean(voiceEntry(heirId), 7));
    await rig.pass();
    expect(rig.fileNames()).toEqual([rig.objectName]);
    expect(rig.entry(heirId)?.fields).toMatchObject(heard);
  });

  it('O6.4 leaves no file on the server if this could not be noted at first', async () => {
    const rig = await setUp(deleteEntry);
    await rig.pass();
    rig.tellServer();
    failRecord(rig.store, 'remove-file');
    await rig.pass();
    await rig.pass();
    expect([...(await rig.store.listRecords('remove-file')).values()]).toMatchObject([
      { documentId: 'e1', objectName: rig.objectName },
    ]);
    await rig.wait(deletedEntryFileKeptMs);
    expect(rig.fileNames()).toEqual([]);
  });

  it('O6.4 leaves no file if its job is discarded before the upload is answered', async () => {
    const rig = await setUp(async ({ outbox }) => {
      await outbox.queue.discard(await onlyJob(outbox));
    });
    await rig.pass();
    await rig.wait(deletedEntryFileKeptMs);
    expect(rig.fileNames()).toEqual([]);
  });
});

describe('an entry that is deleted while the server listens', () => {
  it('O4.4 comes back and gets its words', async () => {
    const rig = await setUp();
    rig.hearWith(async () => {
      if (rig.entry('e1')?.deleted === false) deleteEntry(rig);
      return 'went away';
    });
    await rig.pass();
    rig.tellServer();
    const { objectName } = rig;
    rig.store.put(clean(voiceEntry(heirId, 'p1', { fileLocation: objectName }), 7));
    await rig.pass();
    expect(rig.entry(heirId)?.fields).toMatchObject({ fileLocation: objectName, ...heard });
    expect(rig.fileNames()).toEqual([objectName]);
  });

  it('O4.4 comes back and gets its words on a device that has no bytes of it', async () => {
    const rig = createOutboxRig();
    const objectName = 'pets/p1/audios/voice-note-1.webm';
    const file = { fileLocation: objectName };
    rig.store.put(clean(voiceEntry('e1', 'p1', file), 5));
    const contentType = 'audio/webm';
    await rig.outbox.voiceNotes.requestTranscript({
      entryId: 'e1',
      petId: 'p1',
      objectName,
      contentType,
    });
    rig.hearWith(() => Promise.reject(lostWith('timeout')));
    await rig.pass();
    deleteEntry(rig);
    rig.store.put(clean(voiceEntry(heirId, 'p1', file), 7));
    rig.hearWith(async () => 'went away');
    await rig.pass();
    expect(rig.entry(heirId)?.fields).toMatchObject(heard);
  });
});

describe('a kept version of a deleted entry', () => {
  const version = (objectName: string): ConflictVersion => ({
    kind: 'conflict-version',
    collection: 'entries',
    documentId: 'e1',
    petId: 'p1',
    fields: { type: 'voice-note', text: 'my words', fileLocation: objectName },
    edits: { text: 9, fileLocation: 1 },
    reason: 'deleted',
    side: 'local',
    keptAtMs: 1,
  });

  /** The entry was deleted on another device, which then removed the file. */
  async function keptVersion() {
    const rig = await setUp();
    await rig.pass();
    await writeRecord(rig.store, 'conflict-version', version(rig.objectName));
    rig.store.put(clean(deleted(rig, 'e1'), 6));
    await rig.pass();
    await rig.server.connect().remove(rig.objectName, signal);
    await rig.wait(30 * dayMs);
    const restore = async (petId: string, fields = {}) => {
      const fieldsThen = { text: 'my words', transcript: 'edited', ...fields };
      const restored = clean(voiceEntry('r1', petId, fieldsThen), 9);
      rig.store.put(restored);
      await writeRecord(rig.store, ...placeFile(restored, 'e1', rig.clock.now()));
      await writeRecord(rig.store, 'conflict-version', null);
      await rig.pass();
    };
    return { ...rig, restore };
  }

  it('O6.5 keeps its sound on this device, and brings it back to the server when it is restored', async () => {
    const rig = await keptVersion();
    expect(rig.fileNames()).toEqual([]);
    await rig.restore('p1', { fileLocation: rig.objectName });
    expect(textOf(rig.server.stored().get(rig.objectName)?.bytes)).toBe('sound');
    expect(rig.entry('r1')?.fields).toMatchObject({ text: 'my words', transcript: 'edited' });
    expect((await rig.store.listRecords('place-file')).size).toBe(0);
    expect(await rig.left()).toEqual([]);
  });

  it('O6.5 brings its sound along to another dog, under the name of that dog', async () => {
    const rig = await keptVersion();
    await rig.restore('p2');
    expect(rig.fileNames()).toEqual([rig.objectName.replace('p1', 'p2')]);
    expect(rig.entry('r1')?.fields['fileLocation']).toBe(rig.fileNames()[0]);
  });

  it('O6.5 that was discarded leaves no sound', async () => {
    const rig = await keptVersion();
    await writeRecord(rig.store, 'conflict-version', null);
    await rig.pass();
    expect(await rig.outbox.queue.list()).toEqual([]);
  });

  it.each([
    ['on a device that did not know of its file', () => ({})],
    ['on a device that knew of its file', (fileLocation: string) => ({ fileLocation })],
  ])('O6.5 keeps its sound also when the deletion was taken back %s', async (_, known) => {
    const rig = await keptVersion();
    rig.store.put(clean(voiceEntry(heirId, 'p1', known(rig.objectName)), 7));
    await rig.pass();
    expect(rig.fileNames()).toEqual([rig.objectName]);
    const uploads = rig.server.uploads.length;
    await rig.pass();
    expect(rig.server.uploads).toHaveLength(uploads);
    await rig.server.connect().remove(rig.objectName, signal);
    await rig.restore('p1', { fileLocation: rig.objectName });
    expect(rig.fileNames()).toEqual([rig.objectName]);
  });

  it('O6.5 keeps its sound also when the entry that took its place is deleted, for as long', async () => {
    const rig = await keptVersion();
    rig.store.put(clean(voiceEntry(heirId), 7));
    await rig.pass();
    rig.store.put(clean(deleted(rig, heirId), 8));
    await rig.wait(dayMs);
    const jobs = await rig.outbox.queue.list();
    await rig.wait(2 * dayMs);
    expect(await rig.outbox.queue.list()).toEqual(jobs);
    await writeRecord(rig.store, 'conflict-version', null);
    await rig.pass();
    expect(await rig.outbox.caches.recordings()).toEqual([]);
  });
});

describe('an entry that is not on this device', () => {
  it('O4.8 was not deleted: its recording waits, and is offered once everything was fetched', async () => {
    const rig = await setUp();
    rig.store.put(voiceEntry('e1'));
    await rig.pass();
    rig.store.forget('entries', 'e1');
    await rig.pass();
    await rig.wait(2 * dayMs);
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'queued' });
    await writeRecord(rig.store, checkpointId, { ...emptyCheckpoint, complete: true });
    await rig.pass();
    const job = await onlyJob(rig.outbox);
    expect(job).toMatchObject({ stage: 'recorded', attempts: 0 });
    expect(textOf(await rig.outbox.queue.readBytes(job))).toBe('sound');
  });
});

describe('a file that is removed before the server knows of it', () => {
  it('O4.10 is sent again, for which its job stays', async () => {
    const rig = await setUp();
    await rig.pass();
    await rig.server.connect().remove(rig.objectName, signal);
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'done' });
    expect(rig.fileNames()).toEqual([]);
    rig.sync();
    await rig.pass();
    expect(await rig.left()).toEqual([]);
    expect(textOf(rig.server.stored().get(rig.objectName)?.bytes)).toBe('sound');
    expect(rig.asked).toHaveLength(1);
  });
});

describe('a server that was restored', () => {
  const inHistory = (epoch: string) => ({ ...emptyCheckpoint, epoch, complete: true });

  it('O6.6 gets back the recordings that this device has in its cache, and is asked once', async () => {
    const rig = await setUp();
    await writeRecord(rig.store, checkpointId, inHistory('one'));
    await rig.pass();
    await rig.pass();
    await rig.server.connect().remove(rig.objectName, signal);
    await rig.pass();
    expect(rig.fileNames()).toEqual([]);
    await writeRecord(rig.store, checkpointId, inHistory('two'));
    await rig.pass();
    expect(rig.fileNames()).toEqual([rig.objectName]);
    expect(textOf((await rig.outbox.caches.recording(rig.objectName))?.bytes)).toBe('sound');
    await rig.pass();
    expect(rig.server.uploads).toHaveLength(2);
    expect(rig.asked).toHaveLength(1);
  });
});

describe('a picture that a restored server lacks', () => {
  const inHistory = (epoch: string) => ({ ...emptyCheckpoint, epoch, complete: true });
  const objectName = 'pets/p1/images/profile.jpg';

  /** The pet shows a picture that this device has in its cache. */
  async function restored() {
    const rig = createOutboxRig();
    await writeRecord(rig.store, checkpointId, inHistory('one'));
    await rig.outbox.addPicture(pictureOf('p1', 'Rex'));
    await rig.pass();
    expect(await rig.left()).toEqual([]);
    await rig.server.connect().remove(objectName, signal);
    await rig.pass();
    expect([...rig.server.stored().keys()]).toEqual([]);
    await writeRecord(rig.store, checkpointId, inHistory('two'));
    return rig;
  }

  it('O6.6 is sent again from the cache, once, and changes no dog', async () => {
    const rig = await restored();
    const before = rig.pet('p1');
    await rig.pass();
    expect(textOf(rig.server.stored().get(objectName)?.bytes)).toBe('Rex');
    expect(rig.pet('p1')).toEqual(before);
    expect(await rig.left()).toEqual([]);
    expect(rig.server.uploads).toHaveLength(2);
    expect((await rig.store.listRecords('conflict-version')).size).toBe(0);
  });

  it.each([
    ['of a dog that shows another one', { profilePictureVersion: 'another' }],
    ['of a dog that was deleted', null],
  ])('O6.6 is not sent again: %s', async (_, fields) => {
    const rig = await restored();
    const pet = rig.pet('p1');
    if (pet === undefined) throw new Error('not there');
    const changed = { ...pet, fields: { ...pet.fields, ...fields } };
    rig.store.put(fields === null ? clean(asDeleted(pet), 9) : changed);
    await rig.pass();
    expect(rig.server.uploads).toHaveLength(1);
  });
});

describe('a recording that was being uploaded when its entry was moved', () => {
  /** The upload has arrived, and the entry does not refer to it yet. */
  async function uploading() {
    const rig = await setUp();
    await rig.outbox.queue.move(await onlyJob(rig.outbox), { stage: 'uploading' });
    const file = { objectName: rig.objectName, contentType: 'audio/webm', bytes: bytesOf('sound') };
    await rig.server.connect().upload(file, signal);
    return rig;
  }

  it('O6.4 leaves no file under the name of the other dog', async () => {
    const rig = await uploading();
    rig.store.put(clean(voiceEntry('e1', 'p2'), 6));
    await rig.pass();
    rig.sync();
    await rig.wait(deletedEntryFileKeptMs);
    expect(rig.fileNames()).toEqual([rig.objectName.replace('p1', 'p2')]);
  });

  it('O6.4 leaves no file there if another device has moved it, which takes a new entry', async () => {
    const rig = await uploading();
    rig.tellServer();
    rig.store.put(clean(voiceEntry(heirId, 'p2'), 7));
    await rig.pass();
    rig.sync();
    await rig.wait(deletedEntryFileKeptMs);
    expect(rig.fileNames()).toEqual([rig.objectName.replace('p1', 'p2')]);
    expect(rig.entry(heirId)?.fields).toMatchObject({ fileLocation: rig.fileNames()[0] });
  });
});
