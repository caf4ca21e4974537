import { describe, expect, it } from 'vitest';
import { md5Of } from '../../tests/support/fakes/memory-remote-files.ts';
import { createOutboxRig } from '../../tests/support/setups/outbox-setup.ts';
import { clean, newPet } from '../../tests/support/fixtures/sync-documents.ts';
import { bytesOf, pictureOf, textOf } from '../../tests/support/setups/test-outbox.ts';

const shownName = 'pets/p1/images/profile.png';
const unseen = { petId: 'p1', md5: md5Of(bytesOf('of another device')) };

/** A pet that shows a picture of another type, which another device has sent. */
async function rigWithUnseen() {
  const rig = createOutboxRig();
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

  it('is no version if the owner has replaced it knowingly', async () => {
    const rig = await rigWithUnseen();
    await rig.outbox.addPicture({ ...pictureOf('p1', 'mine'), replaces: [unseen.md5] });
    await rig.left();
    expect(rig.pet('p1')?.fields['profilePicturePath']).toBe('pets/p1/images/profile.jpg');
    expect(versionsIn(rig)).toEqual([]);
  });
});
