import { writeRecord } from '../../store/change-documents.ts';
import { describe, expect, it } from 'vitest';
import { pictureVersion } from '../../schemas/local/conflict-version.ts';
import { md5Of } from '../../tests/support/fakes/memory-remote-files.ts';
import { placeFile } from '../../schemas/local/place-file.ts';
import { failRecord } from '../../tests/support/fakes/failing-writes.ts';
import { setUpLedger } from '../../tests/support/setups/ledger-setup.ts';
import { createOutboxRig } from '../../tests/support/setups/outbox-setup.ts';
import { clean, newPet } from '../../tests/support/fixtures/sync-documents.ts';
import { bytesOf, onlyJob, pictureOf, textOf } from '../../tests/support/setups/test-outbox.ts';
import { settleFiles } from './settle-files.ts';

const objectName = 'pets/p1/images/profile.jpg';
const md5 = md5Of(bytesOf('older'));
const kept = { petId: 'p1', md5 };

/** A pet that shows a picture, and a conflict version of an earlier one, with its bytes. */
async function rigWithVersion(shown = 'newer') {
  const rig = createOutboxRig();
  const fields = { profilePicturePath: objectName, profilePictureVersion: md5Of(bytesOf(shown)) };
  const pet = clean(newPet('p1', { name: 'Rex', ...fields }), 4);
  rig.store.put(pet);
  const version = { objectName, md5, stampMs: 5, side: 'local' } as const;
  const [id, record] = pictureVersion(pet, version, 6);
  const file = { bytes: bytesOf('older'), contentType: 'image/jpeg', md5 };
  const bytes = [rig.outbox.caches.asVersion(kept, file)];
  await rig.store.commit({ records: [[id, record]], bytes });
  return { ...rig, versionId: id };
}

describe('the bytes of a replaced picture', () => {
  it('O7.4 stay as long as the version can be restored, and go with it', async () => {
    const rig = await rigWithVersion();
    await rig.pass();
    expect(textOf((await rig.outbox.caches.version(kept))?.bytes)).toBe('older');
    await writeRecord(rig.store, rig.versionId, null);
    await rig.pass();
    expect(await rig.outbox.caches.version(kept)).toBeNull();
  });

  it('O7.3 are sent if the dog shows the version after all, and the server has another file', async () => {
    const rig = await rigWithVersion('older');
    const other = { objectName, contentType: 'image/jpeg', bytes: bytesOf('newer') };
    await rig.server.connect().upload(other, new AbortController().signal);
    await rig.pass();
    expect(textOf(rig.server.stored().get(objectName)?.bytes)).toBe('older');
    await rig.pass();
    expect(await rig.outbox.queue.list()).toEqual([]);
    // The owner has not seen the one that was there.
    const unseen = { petId: 'p1', md5: md5Of(bytesOf('newer')) };
    expect(textOf((await rig.outbox.caches.version(unseen))?.bytes)).toBe('newer');
  });

  it('stay with the job that restores them, which alone ends it: its owner may replace it meanwhile', async () => {
    const { store, outbox, deps } = setUpLedger();
    const fields = { profilePicturePath: objectName, profilePictureVersion: md5 };
    const pet = clean(newPet('p1', fields), 4);
    store.put(pet);
    const file = { bytes: bytesOf('older'), contentType: 'image/jpeg', md5 };
    const bytes = [outbox.caches.asVersion(kept, file)];
    await store.commit({ records: [placeFile(pet, 'p1', 6)], bytes });
    await settleFiles(deps);
    expect((await store.listRecords('place-file')).size).toBe(1);
  });

  it('O7.1 are those of the job that was outdated, in whatever stage it was', async () => {
    for (const stage of ['queued', 'uploading', 'uploaded', 'done'] as const) {
      const rig = createOutboxRig();
      const fields = { profilePicturePath: objectName, profilePictureVersion: 'later' };
      rig.store.put(clean(newPet('p1', fields, 1_000), 4));
      await rig.outbox.addPicture({ ...pictureOf('p1', 'older'), chosenAtMs: 999 });
      await rig.outbox.queue.move(await onlyJob(rig.outbox), { stage });
      await rig.pass();
      expect(await rig.outbox.queue.list()).toEqual([]);
      expect(textOf((await rig.outbox.caches.version(kept))?.bytes)).toBe('older');
      expect((await rig.store.listRecords('conflict-version')).size).toBe(1);
      expect(rig.pet('p1')?.fields).toEqual(fields);
    }
  });

  it('O7.1 leave no file behind that the dog, whose picture is of another type, does not name', async () => {
    const rig = createOutboxRig();
    const named = 'pets/p1/images/profile.png';
    const fields = { profilePicturePath: named, profilePictureVersion: 'later' };
    rig.store.put(clean(newPet('p1', fields, 1_000), 4));
    const older = { objectName, contentType: 'image/jpeg', bytes: bytesOf('older') };
    await rig.server.connect().upload(older, new AbortController().signal);
    await rig.outbox.addPicture({ ...pictureOf('p1', 'older'), chosenAtMs: 999 });
    await rig.outbox.queue.move(await onlyJob(rig.outbox), { stage: 'uploaded' });
    await rig.pass();
    expect([...(await rig.store.listRecords('remove-file')).values()]).toMatchObject([
      { objectName },
    ]);
    expect(textOf((await rig.outbox.caches.version(kept))?.bytes)).toBe('older');
  });

  it('O7.1 stay in the job until the version is stored', async () => {
    const rig = createOutboxRig();
    const fields = { profilePicturePath: objectName, profilePictureVersion: 'later' };
    rig.store.put(clean(newPet('p1', fields, 1_000), 4));
    await rig.outbox.addPicture({ ...pictureOf('p1', 'older'), chosenAtMs: 999 });
    failRecord(rig.store, 'conflict-version');
    await rig.pass();
    const job = await onlyJob(rig.outbox);
    expect(textOf(await rig.outbox.queue.readBytes(job))).toBe('older');
    rig.worker.poke('manual');
    await rig.pass();
    expect(await rig.outbox.queue.list()).toEqual([]);
    expect((await rig.store.listRecords('conflict-version')).size).toBe(1);
    expect(textOf((await rig.outbox.caches.version(kept))?.bytes)).toBe('older');
  });
});

describe('a picture that its dog shows, before its bytes leave the queue', () => {
  it.each([
    ['another picture', 'theirs'],
    ['nothing', null],
  ])('O7.3 is sent again if the server has %s under its name', async (_, text) => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1', 'mine'));
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'done' });
    rig.sync();
    const server = rig.server.connect();
    const { signal } = new AbortController();
    if (text === null) await server.remove(objectName, signal);
    else {
      await server.upload({ objectName, contentType: 'image/jpeg', bytes: bytesOf(text) }, signal);
    }
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'queued' });
    for (let round = 0; round < 2; round += 1) {
      await rig.pass();
      rig.sync();
    }
    expect(textOf(rig.server.stored().get(objectName)?.bytes)).toBe('mine');
    expect(await rig.outbox.queue.list()).toEqual([]);
  });
});

it('O7.1 a picture that was restored becomes a version if another is chosen while it is downloaded', async () => {
  const choose = async () => {
    if ((await rig.outbox.queue.list()).length > 0) return;
    await rig.outbox.addPicture({ ...pictureOf('p1', 'newer'), chosenAtMs: 6 });
  };
  const rig = createOutboxRig({
    wrapFiles: (files) => ({
      ...files,
      download: async (...asked) => {
        const found = await files.download(...asked);
        await choose();
        return found;
      },
    }),
  });
  const file = { objectName, contentType: 'image/jpeg', bytes: bytesOf('older') };
  await rig.server.connect().upload(file, new AbortController().signal);
  const fields = { profilePicturePath: objectName, profilePictureVersion: md5 };
  const restored = { collection: 'pets', id: 'p1', petId: null, fields } as const;
  await writeRecord(rig.store, ...placeFile(restored, 'p1', 5));
  await rig.pass();
  expect(await onlyJob(rig.outbox)).toMatchObject({ md5: md5Of(bytesOf('newer')), createdAtMs: 6 });
  expect((await rig.store.listRecords('place-file')).size).toBe(0);
  // The server refuses to overwrite the older picture, of which this device has no bytes yet.
  rig.worker.poke('manual');
  await rig.pass();
  expect(textOf(rig.server.stored().get(objectName)?.bytes)).toBe('newer');
  const versions = [...(await rig.store.listRecords('conflict-version')).values()];
  expect(versions.map(({ fields: { profilePictureVersion } }) => profilePictureVersion)).toEqual([
    md5,
  ]);
  expect(textOf((await rig.outbox.caches.version(kept))?.bytes)).toBe('older');
});
