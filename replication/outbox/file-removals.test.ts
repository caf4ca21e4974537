import { writeRecord } from '../../store/change-documents.ts';
import { describe, expect, it, vi } from 'vitest';
import { asDeleted, type LocalDocument } from '../../schemas/documents/document.ts';
import { deletePetJobId, type ConflictVersion } from '../../schemas/local/local-record.ts';
import { deletedEntryFileKeptMs, removalsOf } from '../../schemas/local/remove-file.ts';
import { failRecord } from '../../tests/support/fakes/failing-writes.ts';
import { md5Of } from '../../tests/support/fakes/memory-remote-files.ts';
import { createOutboxRig, lostWith, refusedWith } from '../../tests/support/setups/outbox-setup.ts';
import { clean, newEntry, newPet, onServer } from '../../tests/support/fixtures/sync-documents.ts';
import { createSyncWorld } from '../../tests/support/setups/sync-setup.ts';
import { bytesOf, onlyJob, pictureOf } from '../../tests/support/setups/test-outbox.ts';
import { runDeletePetJob } from '../documents/push/delete-pet-job.ts';

const picture = 'pets/p1/images/profile.jpg';
const recording = 'pets/p1/audios/voice-note-1700000000000.webm';
const signal = new AbortController().signal;

const voiceNote = (id: string, petId = 'p1', fileLocation = recording): LocalDocument =>
  clean(newEntry({ id, petId, fields: { type: 'voice-note', fileLocation } }), 5);

const pictured = (path = picture): LocalDocument =>
  clean(newPet('p1', { name: 'Rex', profilePicturePath: path }), 4);

/** A pet with a picture and two entries, one of them a voice note; the server has all of it. */
async function rigWithFiles() {
  const rig = createOutboxRig();
  const files = rig.server.connect();
  for (const objectName of [picture, recording, 'pets/p2/images/profile.jpg']) {
    await files.upload({ objectName, contentType: 'x/y', bytes: bytesOf(objectName) }, signal);
  }
  rig.store.put(pictured());
  rig.store.put(voiceNote('e1'));
  rig.store.put(clean(newEntry({ id: 'e2', petId: 'p1' }), 6));
  const { store } = rig;
  const stored = (): string[] => [...rig.server.stored().keys()].toSorted();
  const jobs = () => store.listRecords('remove-file');
  return {
    ...rig,
    stored,
    jobs,
    deletePet: async () => {
      await writeRecord(store, deletePetJobId('p1'), { kind: 'delete-pet', petId: 'p1' });
      await runDeletePetJob(store, 'p1');
    },
    deleteEntry: async (entry: LocalDocument) => {
      const notBeforeMs = rig.clock.now() + deletedEntryFileKeptMs;
      for (const job of removalsOf(entry, notBeforeMs)) await writeRecord(store, ...job);
      store.put(asDeleted(entry));
    },
    /** Syncs the documents. */
    push: () => {
      for (const collection of ['pets', 'entries'] as const) {
        for (const one of store.documents(collection)) store.put(clean(one, one.seq ?? 9));
      }
    },
  };
}

const all = [recording, picture, 'pets/p2/images/profile.jpg'].toSorted();

describe('files of what was deleted', () => {
  it('O6.1 O6.2 go with their dog, once the server knows of it, and no others', async () => {
    const rig = await rigWithFiles();
    await rig.deletePet();
    await rig.pass();
    expect(rig.stored()).toEqual(all);
    rig.push();
    await rig.pass();
    expect(rig.stored()).toEqual(['pets/p2/images/profile.jpg']);
    expect((await rig.jobs()).size).toBe(0);
    await rig.pass();
    expect(rig.server.removals).toHaveLength(2);
  });

  it('O6.2 nothing is asked for a dog or an entry that was never on the server', async () => {
    const rig = await rigWithFiles();
    rig.store.put(newPet('p1', { name: 'Rex', profilePicturePath: picture }));
    rig.store.put(newEntry({ id: 'e1', petId: 'p1', fields: { fileLocation: recording } }));
    await rig.deletePet();
    expect((await rig.jobs()).size).toBe(0);
  });

  it('O6.2 an entry that may come back keeps its file for a while', async () => {
    const rig = await rigWithFiles();
    await rig.deleteEntry(voiceNote('e1'));
    rig.push();
    await rig.pass();
    expect(rig.stored()).toEqual(all);
    await rig.clock.advance(deletedEntryFileKeptMs);
    await rig.pass();
    expect(rig.stored()).not.toContain(recording);
  });

  it('O6.2 a file that another document refers to stays, and is not checked again', async () => {
    const rig = await rigWithFiles();
    await rig.deleteEntry(voiceNote('e1'));
    rig.store.put(voiceNote('e1-again', 'p2'));
    rig.push();
    await rig.clock.advance(deletedEntryFileKeptMs);
    await rig.pass();
    expect(rig.stored()).toEqual(all);
    expect((await rig.jobs()).size).toBe(0);
    await rig.deleteEntry(voiceNote('e1-again', 'p2'));
    rig.push();
    await rig.clock.advance(deletedEntryFileKeptMs);
    await rig.pass();
    expect(rig.stored()).not.toContain(recording);
  });

  it('O6.2 a file that a conflict version refers to stays as long as it can be restored', async () => {
    const rig = await rigWithFiles();
    const version: ConflictVersion = {
      kind: 'conflict-version',
      collection: 'entries',
      documentId: 'e1',
      petId: 'p1',
      fields: { fileLocation: recording },
      edits: { fileLocation: 1 },
      reason: 'deleted',
      side: 'server',
      keptAtMs: 1,
    };
    await writeRecord(rig.store, 'conflict-version', version);
    await rig.deletePet();
    rig.push();
    await rig.pass();
    expect(rig.stored()).toContain(recording);
    expect(rig.stored()).not.toContain(picture);
    await writeRecord(rig.store, 'conflict-version', null);
    await rig.pass();
    expect(rig.stored()).not.toContain(recording);
  });

  it.each(['queued', 'uploading', 'uploaded'] as const)(
    'O6.2 what a job brings that is %s stays, until its document speaks of it',
    async (stage) => {
      const rig = await rigWithFiles();
      await rig.deleteEntry(voiceNote('e1'));
      rig.push();
      // The deletion was undone, which the server does not know yet.
      const { fileLocation: _, ...fields } = voiceNote('e1-again').fields;
      rig.store.put({ ...newEntry({ id: 'e1-again', petId: 'p1' }), fields });
      const audio = { entryId: 'e1-again', petId: 'p1', contentType: 'audio/webm' };
      const bytes = bytesOf(recording);
      await rig.outbox.voiceNotes.sendAgain({ ...audio, objectName: recording }, bytes);
      await rig.outbox.queue.move(await onlyJob(rig.outbox), { stage });
      await rig.clock.advance(deletedEntryFileKeptMs);
      await rig.pass();
      expect(rig.server.removals).toEqual([]);
      expect((await rig.jobs()).size).toBe(1);
      rig.push();
      await rig.pass();
      expect(rig.entry('e1-again')?.fields).toMatchObject({ fileLocation: recording });
      expect(rig.server.removals).toEqual([]);
      expect((await rig.jobs()).size).toBe(0);
    },
  );

  it('O6.1 a file that came while its dog was being deleted goes too', async () => {
    const world = createSyncWorld();
    const phone = world.device();
    phone.store.put(clean(newPet('p1'), 1));
    phone.store.put(asDeleted(clean(newPet('p1'), 1)));
    world.server.put(onServer(pictured(), 4));
    await phone.sync();
    expect([...(await phone.store.listRecords('remove-file')).values()]).toMatchObject([
      { documentId: 'p1', objectName: picture },
    ]);
  });
});

describe('pictures that are left over', () => {
  it('O6.4 one that another of a different type took the place of', async () => {
    const rig = await rigWithFiles();
    const before = 'pets/p1/images/profile.png';
    await rig.server
      .connect()
      .upload({ objectName: before, contentType: 'image/png', bytes: bytesOf('old') }, signal);
    rig.store.put(pictured(before));
    const replaces = ['old', picture].map((text) => md5Of(bytesOf(text)));
    await rig.outbox.addPicture({ ...pictureOf('p1', 'new'), replaces });
    await rig.pass();
    expect(rig.stored()).toContain(before);
    rig.push();
    await rig.pass();
    expect(rig.stored()).toEqual(all);
  });

  it('O6.4 one that arrived while its dog was being deleted', async () => {
    for (const stage of ['queued', 'uploading', 'uploaded', 'done'] as const) {
      const rig = await rigWithFiles();
      rig.store.put(clean(newPet('p1'), 4));
      await rig.outbox.addPicture(pictureOf('p1'));
      await rig.outbox.queue.move(await onlyJob(rig.outbox), { stage });
      await rig.deletePet();
      rig.push();
      await rig.pass();
      expect([stage, rig.stored().includes(picture)]).toEqual([stage, false]);
    }
  });
});

it('O6.4 the job of a picture stays until its file is named', async () => {
  const rig = await rigWithFiles();
  rig.store.put(clean(newPet('p1'), 4));
  await rig.outbox.addPicture(pictureOf('p1'));
  await rig.outbox.queue.move(await onlyJob(rig.outbox), { stage: 'uploading' });
  await rig.deletePet();
  rig.push();
  failRecord(rig.store, 'remove-file');
  await rig.pass();
  expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'uploading' });
  rig.worker.poke('manual');
  await rig.pass();
  expect(await rig.outbox.queue.list()).toEqual([]);
  expect(rig.stored()).not.toContain(picture);
});

describe('a server that does not remove a file', () => {
  it('O6.3 without an answer it is tried again after a pause, also in the next session', async () => {
    const rig = await rigWithFiles();
    await rig.deletePet();
    rig.push();
    rig.server.refuseRemoval(() => lostWith('http-503'));
    await rig.pass();
    expect(rig.server.removals).toHaveLength(2);
    await rig.pass();
    expect(rig.server.removals).toHaveLength(2);
    rig.server.refuseRemoval(() => null);
    await rig.clock.advance(10_000);
    await rig.pass();
    expect(rig.stored()).toEqual(['pets/p2/images/profile.jpg']);
  });

  it('O6.3 the pause is over when the owner asks', async () => {
    const rig = await rigWithFiles();
    await rig.deletePet();
    rig.push();
    rig.server.refuseRemoval(() => lostWith('http-503'));
    await rig.pass();
    rig.server.refuseRemoval(() => null);
    rig.worker.poke('manual');
    await rig.pass();
    expect((await rig.jobs()).size).toBe(0);
  });

  it('O6.3 offline, or signed out, nothing is tried', async () => {
    const rig = await rigWithFiles();
    await rig.deletePet();
    rig.push();
    rig.state.isOnline = false;
    await rig.pass();
    expect(rig.server.removals).toEqual([]);
    rig.state.isOnline = true;
    rig.server.refuseRemoval(() => lostWith('unauthenticated'));
    await rig.pass();
    expect(rig.server.removals).toHaveLength(1);
    rig.server.refuseRemoval(() => null);
    await rig.pass();
    expect((await rig.jobs()).size).toBe(0);
  });

  it('O6.3 a refusal holds up no other file, and is not repeated in this session', async () => {
    const rig = await rigWithFiles();
    await rig.deletePet();
    rig.push();
    rig.server.refuseRemoval((name) => (name === recording ? refusedWith('http-403') : null));
    await rig.pass();
    await rig.pass();
    expect(rig.server.removals.filter((name) => name === recording)).toHaveLength(1);
    expect(rig.stored()).not.toContain(picture);
    expect(rig.events).toContain('file-removal-refused');
    expect((await rig.jobs()).size).toBe(1);
  });

  it('O6.3 a refused account says nothing of a file', async () => {
    const rig = await rigWithFiles();
    await rig.deletePet();
    rig.push();
    rig.state.isAccountGood = false;
    rig.server.refuseRemoval(() => refusedWith('http-403'));
    await rig.pass();
    rig.state.isAccountGood = true;
    rig.server.refuseRemoval(() => null);
    rig.worker.poke('manual');
    await rig.pass();
    expect((await rig.jobs()).size).toBe(0);
  });

  it('O6.3 wakes by itself when a kept file may go', async () => {
    const rig = await rigWithFiles();
    await rig.deleteEntry(voiceNote('e1'));
    rig.push();
    const stop = new AbortController();
    const waits = vi.spyOn(rig.clock, 'after');
    const working = rig.worker.work(stop.signal);
    rig.worker.poke('documents');
    await expect.poll(() => waits.mock.calls).toHaveLength(1);
    await rig.clock.advance(deletedEntryFileKeptMs + 1_000);
    await expect.poll(() => rig.stored()).not.toContain(recording);
    stop.abort();
    await working;
  });
});
