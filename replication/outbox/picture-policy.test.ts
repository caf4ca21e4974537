import { describe, expect, it, vi } from 'vitest';
import { placeFile } from '../../schemas/local/place-file.ts';
import { pictureVersion } from '../../schemas/local/conflict-version.ts';
import { md5Of } from '../../tests/support/fakes/memory-remote-files.ts';
import { createOutboxRig, lostWith } from '../../tests/support/setups/outbox-setup.ts';
import { clean, newPet } from '../../tests/support/fixtures/sync-documents.ts';
import { bytesOf, onlyJob, pictureOf, textOf } from '../../tests/support/setups/test-outbox.ts';
import type { RemoteFiles } from '../ports.ts';

const shownName = 'pets/p1/images/profile.png';
const unseen = { petId: 'p1', md5: md5Of(bytesOf('of another device')) };

/** A pet that shows a picture of another type, which another device has sent. */
async function rigWithUnseen(options: Parameters<typeof createOutboxRig>[0] = {}) {
  const rig = createOutboxRig(options);
  const bytes = bytesOf('of another device');
  const file = { objectName: shownName, contentType: 'image/png', bytes };
  await rig.server.connect().upload(file, new AbortController().signal);
  const fields = { profilePicturePath: shownName, profilePictureVersion: unseen.md5 };
  rig.store.put(clean(newPet('p1', { name: 'Rex', ...fields }), 4));
  return rig;
}

const versionsIn = ({ store }: ReturnType<typeof createOutboxRig>) =>
  [...store.records().values()].filter(({ kind }) => kind === 'conflict-version');

describe('a picture of another type that the owner has not seen', () => {
  it('is kept as a version, once, with its bytes, before the new one takes its place', async () => {
    const rig = await rigWithUnseen();
    await rig.outbox.addPicture(pictureOf('p1', 'mine'));
    await rig.left();
    expect(rig.pet('p1')?.fields['profilePicturePath']).toBe('pets/p1/images/profile.jpg');
    expect(versionsIn(rig)).toMatchObject([
      { fields: { profilePicturePath: shownName, profilePictureVersion: unseen.md5 } },
    ]);
    expect(textOf((await rig.outbox.caches.version(unseen))?.bytes)).toBe('of another device');
  });

  it.each([
    ['after it arrived', true],
    ['before it arrived', false],
  ])('O7.2 is kept if the answer to an upload over it was lost %s', async (_, isStored) => {
    let losses = 1;
    const rig = await rigWithUnseen({
      wrapFiles: (files) => ({
        ...files,
        upload: async (...file) => {
          losses -= 1;
          if (losses < 0) return files.upload(...file);
          if (isStored) await files.upload(...file);
          throw lostWith('unavailable');
        },
      }),
    });
    await rig.outbox.addPicture(pictureOf('p1', 'mine'));
    await rig.pass();
    rig.worker.poke('manual');
    await rig.pass();
    expect(await rig.left()).toEqual([]);
    expect(rig.pet('p1')?.fields['profilePictureVersion']).toBe(md5Of(bytesOf('mine')));
    expect(versionsIn(rig)).toMatchObject([{ fields: { profilePictureVersion: unseen.md5 } }]);
    expect(textOf((await rig.outbox.caches.version(unseen))?.bytes)).toBe('of another device');
  });

  it('is no version if the owner has replaced it knowingly', async () => {
    const rig = await rigWithUnseen();
    await rig.outbox.addPicture({ ...pictureOf('p1', 'mine'), replaces: [unseen.md5] });
    await rig.left();
    expect(rig.pet('p1')?.fields['profilePicturePath']).toBe('pets/p1/images/profile.jpg');
    expect(versionsIn(rig)).toEqual([]);
  });

  it.each([
    ['is gone', null],
    [
      'has changed',
      { objectName: 'x', byteLength: 1, md5: 'x', contentType: 'x', bytes: bytesOf('x') },
    ],
  ])('O7.2 is overwritten only later if it %s before it was read', async (_, downloaded) => {
    const rig = await rigWithUnseen({
      wrapFiles: (files) => ({ ...files, download: async () => downloaded }),
    });
    await rig.outbox.addPicture(pictureOf('p1', 'mine'));
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({ code: 'replaced', attempts: 1 });
    expect([...rig.server.stored().keys()]).toEqual([shownName]);
    expect(versionsIn(rig)).toEqual([]);
  });

  it('O7.2 needs no second download if it is a version already', async () => {
    const download = vi.fn<RemoteFiles['download']>();
    const rig = await rigWithUnseen({
      wrapFiles: (files) => ({
        ...files,
        download: download.mockImplementation((...asked) => files.download(...asked)),
      }),
    });
    const file = { bytes: bytesOf('of another device'), contentType: 'image/png' };
    const kept = rig.outbox.caches.asVersion(unseen, { ...file, md5: unseen.md5 });
    const version = { objectName: shownName, md5: unseen.md5, stampMs: 1, side: 'server' } as const;
    const record = pictureVersion({ id: 'p1' }, version, 1);
    await rig.store.commit({ records: [record], bytes: [kept] });
    await rig.outbox.addPicture(pictureOf('p1', 'mine'));
    await rig.pass();
    expect(download).not.toHaveBeenCalled();
    expect(rig.pet('p1')?.fields['profilePicturePath']).toBe('pets/p1/images/profile.jpg');
  });
});

describe('a picture that is restored', () => {
  const mine = { petId: 'p1', md5: md5Of(bytesOf('mine')) };
  const objectName = 'pets/p1/images/profile.jpg';
  const fields = { profilePicturePath: objectName, profilePictureVersion: mine.md5 };

  /** Restores a version of the dog, and makes a pass. */
  async function restore(rig: Awaited<ReturnType<typeof rigWithUnseen>>): Promise<void> {
    const file = { bytes: bytesOf('mine'), contentType: 'image/jpeg', md5: mine.md5 };
    const holder = { collection: 'pets', id: 'p1', petId: null, fields } as const;
    const record = placeFile(holder, 'p1', rig.clock.now());
    await rig.store.commit({ records: [record], bytes: [rig.outbox.caches.asVersion(mine, file)] });
    await rig.pass();
    expect(rig.pet('p1')?.fields).toMatchObject(fields);
    expect(textOf(rig.server.stored().get(objectName)?.bytes)).toBe('mine');
  }

  it('D5.13 is exchanged for one that waits', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1', 'waits'));
    await restore(rig);
    const md5 = md5Of(bytesOf('waits'));
    expect(versionsIn(rig)).toMatchObject([{ fields: { profilePictureVersion: md5 } }]);
    expect(await rig.left()).toEqual([]);
    expect(textOf((await rig.outbox.caches.version({ petId: 'p1', md5 }))?.bytes)).toBe('waits');
  });

  it('D5.13 is exchanged for one that is being confirmed, once', async () => {
    const rig = createOutboxRig();
    await rig.outbox.addPicture(pictureOf('p1', 'named'));
    await rig.pass();
    expect(await onlyJob(rig.outbox)).toMatchObject({ stage: 'done' });
    await rig.clock.advance(1);
    await restore(rig);
    expect(await rig.left()).toEqual([]);
    const md5 = md5Of(bytesOf('named'));
    expect(versionsIn(rig)).toMatchObject([{ fields: { profilePictureVersion: md5 } }]);
    expect(textOf((await rig.outbox.caches.version({ petId: 'p1', md5 }))?.bytes)).toBe('named');
  });

  it('D5.13 is exchanged for the one that its dog shows', async () => {
    const rig = await rigWithUnseen();
    await restore(rig);
    expect(versionsIn(rig)).toMatchObject([
      { fields: { profilePicturePath: shownName, profilePictureVersion: unseen.md5 } },
    ]);
    expect(textOf((await rig.outbox.caches.version(unseen))?.bytes)).toBe('of another device');
  });
});
