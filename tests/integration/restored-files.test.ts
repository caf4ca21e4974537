import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { cachedPictureId } from '../../schemas/local/file-bytes.ts';
import type { LocalDocument } from '../../schemas/documents/document.ts';
import { startTestBackend, type TestBackend } from '../support/servers/backend-in-process.ts';
import { openRealDevice, type RealDevice } from '../support/setups/real-device.ts';
import { openRealFiles, type RealFiles } from '../support/setups/real-files.ts';
import { bytesOf, pictureOf, textOf } from '../support/setups/test-outbox.ts';

const email = 'owner@example.com';
const signal = new AbortController().signal;

describe('a restored or moved document takes its file with it, all parts real', () => {
  let backend: TestBackend;
  let devices: RealDevice[];
  let a: RealDevice;
  let b: RealDevice;
  let filesOfA: RealFiles;
  let filesOfB: RealFiles;
  let petId: string;

  const settle = async (...all: RealFiles[]): Promise<void> => {
    for (let round = 0; round < 3; round += 1) for (const files of all) await files.syncAll();
  };

  const live = async (
    device: RealDevice,
    collection: 'pets' | 'entries',
  ): Promise<readonly LocalDocument[]> =>
    (await device.store.listAll(collection, { afterId: '', limit: 100 }))
      .map(({ document }) => document)
      .filter(({ deleted }) => !deleted);

  const textAt = async (name: unknown): Promise<string | null> =>
    textOf((await filesOfB.files.download(String(name), signal))?.bytes);

  const record = async (text = 'woof', isOnA = false): Promise<string> => {
    const recording = { id: `note${petId.slice(0, 8)}`, petId, contentType: 'audio/webm' };
    const { recordings } = (isOnA ? filesOfA : filesOfB).outbox;
    await recordings.begin({ ...recording, startedAtMs: Date.now() });
    const chunk = { recordingId: recording.id, index: 0, bytes: bytesOf(text), untilMs: 1_000 };
    await recordings.append(chunk);
    await recordings.finish(recording.id, 1_000);
    const fields = { createdDate: Date.now(), durationMs: 1_000 };
    await (isOnA ? a : b).commands.addVoiceNote({ ...recording, ...fields }, async () => ({}));
    return recording.id;
  };

  /** Edits an entry on B, without A knowing of the edit. */
  const editOnB = async (id: string, text: string): Promise<void> => b.commands.editText(id, text);

  const onlyVersion = async (): Promise<string> => {
    const [id] = (await b.store.listRecords('conflict-version')).keys();
    if (id === undefined) throw new Error('no version was kept');
    return id;
  };

  beforeEach(async () => {
    backend = await startTestBackend();
    const { url } = backend.current();
    a = await openRealDevice({ url, email, isNew: true });
    b = await openRealDevice({ url, email, isNew: false });
    devices = [a, b];
    filesOfA = openRealFiles(a, url);
    filesOfB = openRealFiles(b, url);
    petId = await a.commands.createPet({ name: 'Bramble' });
    await settle(filesOfA, filesOfB);
  });

  afterEach(async () => {
    await Promise.all(devices.map(({ client }) => client.close()));
    await backend.dispose();
  });

  const choosePicture = () =>
    filesOfB.outbox.addPicture({ ...pictureOf(petId, 'Bramble'), chosenAtMs: 5 });

  /** Deletes a dog on A while B edits it, and restores it on B. */
  const restoreEdited = async (beforeRestore: () => Promise<void>): Promise<void> => {
    await b.commands.updatePet(petId, { description: 'Fond of ducks' });
    await a.commands.deletePet(petId);
    await a.sync();
    await b.sync();
    await beforeRestore();
    await b.commands.restoreConflictVersion(await onlyVersion());
  };

  /** The same with a dog whose picture the server has. */
  const restoreDog = async (beforeRestore = async () => undefined as void): Promise<void> => {
    await choosePicture();
    await settle(filesOfB, filesOfA);
    await restoreEdited(beforeRestore);
  };

  const expectDogWithPicture = async (): Promise<void> => {
    for (const device of devices) {
      const [pet, ...others] = await live(device, 'pets');
      expect(others).toEqual([]);
      expect(pet).toMatchObject({ pending: 0, fields: { description: 'Fond of ducks' } });
      const path = pet?.fields['profilePicturePath'];
      expect(path).toBe(`pets/${pet?.id ?? ''}/images/profile.jpg`);
      expect(await textAt(path)).toBe('Bramble');
    }
  };

  it('O8.1 a dog with its picture, from the cache of the device', async () => {
    await restoreDog();
    await settle(filesOfB, filesOfA);
    await expectDogWithPicture();
    expect(await b.store.listRecords('place-file')).toEqual(new Map());
  });

  const forgetPicture = async (): Promise<void> => {
    await b.store.commit({ bytes: [[cachedPictureId(petId), null]] });
  };

  it('O8.1 a dog with its picture, from the server where it was before', async () => {
    await restoreDog(forgetPicture);
    await settle(filesOfB, filesOfA);
    await expectDogWithPicture();
    expect(await b.store.listRecords('place-file')).toEqual(new Map());
  });

  it('O8.2 a dog whose picture is nowhere is sent without it', async () => {
    await restoreDog(async () => {
      await forgetPicture();
      await filesOfA.files.remove(`pets/${petId}/images/profile.jpg`, signal);
    });
    await settle(filesOfB, filesOfA);
    const [pet] = await live(a, 'pets');
    expect(pet).toMatchObject({ pending: 0, fields: { name: 'Bramble' } });
    expect(pet?.fields['profilePicturePath']).toBeUndefined();
  });

  it('O8.1 a dog with its first picture, which the server never had', async () => {
    await choosePicture();
    await restoreEdited(() => filesOfB.syncAll());
    await settle(filesOfB, filesOfA);
    await expectDogWithPicture();
    expect(await filesOfB.outbox.queue.list()).toEqual([]);
  });

  it('O8.1 a voice note of a deleted dog that is moved to another', async () => {
    const moss = await b.commands.createPet({ name: 'Moss' });
    await settle(filesOfB, filesOfA);
    const noteId = await record();
    await settle(filesOfB, filesOfA);
    await editOnB(noteId, 'a bark');
    await a.commands.deletePet(petId);
    await a.sync();
    await b.sync();
    await b.commands.restoreConflictVersion(await onlyVersion(), moss);
    await settle(filesOfB, filesOfA);
    for (const device of devices) {
      const [note] = await live(device, 'entries');
      expect(note).toMatchObject({ petId: moss, pending: 0, fields: { text: 'a bark' } });
      const path = String(note?.fields['fileLocation']);
      expect(path.startsWith(`pets/${moss}/audios/`)).toBe(true);
      expect(await textAt(path)).toBe('woof');
    }
  });

  it.each(['on the server', 'not uploaded yet'])(
    'O8.1 another version of the text of a voice note that still exists and is %s, moved to another dog',
    async (place) => {
      const moss = await b.commands.createPet({ name: 'Moss' });
      await settle(filesOfB, filesOfA);
      const noteId = await record();
      await (place === 'on the server' ? settle(filesOfB, filesOfA) : b.sync());
      await a.sync();
      await editOnB(noteId, 'a bark');
      await a.commands.editText(noteId, 'a howl');
      await a.sync();
      await b.sync();
      await b.commands.restoreConflictVersion(await onlyVersion(), moss);
      await settle(filesOfB, filesOfA);
      for (const device of devices) {
        const notes = await live(device, 'entries');
        expect(new Set(notes.map((note) => note.petId))).toEqual(new Set([petId, moss]));
        expect(new Set(notes.map(({ fields }) => fields['text']))).toEqual(
          new Set(['a bark', 'a howl']),
        );
        for (const { petId: owner, pending, fields } of notes) {
          expect(pending).toBe(0);
          expect(fields['type']).toBe('voice-note');
          const path = String(fields['fileLocation']);
          expect(path.startsWith(`pets/${owner ?? ''}/audios/`)).toBe(true);
          expect(await textAt(path)).toBe('woof');
        }
      }
      expect(await b.store.listRecords('place-file')).toEqual(new Map());
    },
  );

  it('O8.1 a voice note whose upload had not begun when its dog was deleted elsewhere', async () => {
    const moss = await b.commands.createPet({ name: 'Moss' });
    await settle(filesOfB, filesOfA);
    const noteId = await record();
    await b.sync();
    await editOnB(noteId, 'a bark');
    await a.sync();
    await a.commands.deletePet(petId);
    await a.sync();
    await b.sync();
    await b.commands.restoreConflictVersion(await onlyVersion(), moss);
    await settle(filesOfB, filesOfA);
    const [note] = await live(a, 'entries');
    expect(note).toMatchObject({ petId: moss, fields: { text: 'a bark' } });
    expect(await textAt(note?.fields['fileLocation'])).toBe('woof');
  });

  it('O4.5 a voice note whose recording another device has not sent when it is restored', async () => {
    const moss = await b.commands.createPet({ name: 'Moss' });
    await settle(filesOfB, filesOfA);
    await b.commands.deletePet(petId);
    await record('woof', true);
    await a.sync();
    await filesOfB.syncAll();
    await b.commands.restoreConflictVersion(await onlyVersion(), moss);
    await settle(filesOfB, filesOfA, filesOfB);
    const [note, ...others] = await live(b, 'entries');
    expect(others).toEqual([]);
    expect(await textAt(note?.fields['fileLocation'])).toBe('woof');
  });

  it('O8.3 a document that was parked with the path of another one is sent after Retry', async () => {
    const { store } = b;
    const path = `pets/${petId}/images/profile.jpg`;
    await filesOfB.files.upload(
      { objectName: path, contentType: 'image/jpeg', bytes: bytesOf('Bramble') },
      signal,
    );
    const id = await b.commands.createPet({ name: 'Restored' });
    const stored = (await store.get('pets', [id])).get(id);
    if (stored === undefined) throw new Error('not there');
    const fields = { ...stored.document.fields, profilePicturePath: path };
    await store.commit({ swaps: [{ from: stored, to: { ...stored.document, fields } }] });
    await b.sync();
    expect((await store.get('pets', [id])).get(id)?.document.pending).toBe(2);
    await b.commands.retryAll();
    await settle(filesOfB, filesOfA);
    const pet = (await a.store.get('pets', [id])).get(id)?.document;
    expect(pet?.fields['profilePicturePath']).toBe(`pets/${id}/images/profile.jpg`);
    expect(await textAt(pet?.fields['profilePicturePath'])).toBe('Bramble');
  });
});
