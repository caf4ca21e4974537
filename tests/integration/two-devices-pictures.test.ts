import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LocalDocument } from '../../schemas/documents/document.ts';
import { pictureStamp } from '../../schemas/local/outbox-job.ts';
import type { ConflictVersion } from '../../schemas/local/local-record.ts';
import { startTestBackend, type TestBackend } from '../support/servers/backend-in-process.ts';
import { md5Of } from '../support/fakes/memory-remote-files.ts';
import { openRealDevice, type RealDevice } from '../support/setups/real-device.ts';
import { openRealFiles, type RealFiles } from '../support/setups/real-files.ts';
import { bytesOf, pictureOf, textOf } from '../support/setups/test-outbox.ts';

const email = 'owner@example.com';
const dayMs = 24 * 60 * 60 * 1_000;
const signal = new AbortController().signal;

describe('pictures of one dog from two devices, all parts real', () => {
  let backend: TestBackend;
  let devices: RealDevice[];
  let a: RealFiles;
  let b: RealFiles;
  let petId: string;
  /** A callback that runs once, before the next upload of A. */
  let beforeUploadOfA: (() => Promise<void>) | null = null;
  let afterUploadOfA: (() => Promise<void>) | null = null;

  const petOn = async (device: RealDevice): Promise<LocalDocument | undefined> =>
    (await device.store.get('pets', [petId])).get(petId)?.document;

  const versionsOn = async (device: RealDevice): Promise<ConflictVersion[]> =>
    [...(await device.store.listRecords('conflict-version')).values()].filter(
      (record) => record.kind === 'conflict-version',
    );

  /** Adds a picture as a page does, as a replacement for the one that the device shows. */
  const choose = async (
    [device, files]: readonly [RealDevice | undefined, RealFiles],
    text: string,
    chosenAtMs: number,
  ): Promise<void> => {
    const shown = device === undefined ? undefined : await petOn(device);
    const version = shown?.fields['profilePictureVersion'];
    const waits = (await files.outbox.readPicture(petId))?.isWaiting === true;
    const replaces = typeof version === 'string' && !waits ? [version] : [];
    const seenStamp = waits ? 0 : pictureStamp(shown?.edits ?? {});
    const picture = { ...pictureOf(petId, text), chosenAtMs, replaces, seenStamp };
    await files.outbox.addPicture(picture);
  };

  const settle = async (): Promise<void> => {
    for (let round = 0; round < 4; round += 1) {
      for (const files of [a, b]) await files.syncAll();
    }
  };

  /** Expects that both devices, the server's document and its file agree, and that no work is left. */
  const expectShown = async (text: string): Promise<void> => {
    const md5 = md5Of(bytesOf(text));
    const path = `pets/${petId}/images/profile.jpg`;
    for (const device of devices) {
      expect(await petOn(device)).toMatchObject({
        pending: 0,
        fields: { profilePicturePath: path, profilePictureVersion: md5 },
      });
    }
    expect(textOf((await a.files.download(path, signal))?.bytes)).toBe(text);
    for (const { outbox } of [a, b]) expect(await outbox.queue.list()).toEqual([]);
  };

  const keptTexts = async ({ outbox }: RealFiles): Promise<(string | null)[]> => {
    const [device] = outbox === a.outbox ? devices : devices.slice(1);
    const found = (await device?.store.listRecords('conflict-version')) ?? new Map();
    const versions = [...found.values()].flatMap((record) => {
      const md5 =
        record.kind === 'conflict-version' ? record.fields['profilePictureVersion'] : undefined;
      return typeof md5 === 'string' ? [{ petId, md5 }] : [];
    });
    const kept = await Promise.all(versions.map((version) => outbox.caches.version(version)));
    return kept.map((file) => textOf(file?.bytes));
  };

  beforeEach(async () => {
    backend = await startTestBackend();
    const { url } = backend.current();
    const [first, second] = [
      await openRealDevice({ url, email, isNew: true }),
      await openRealDevice({ url, email, isNew: false }),
    ];
    devices = [first, second];
    beforeUploadOfA = null;
    afterUploadOfA = null;
    const once = async (step: (() => Promise<void>) | null): Promise<void> => step?.();
    a = openRealFiles(first, url, (files) => ({
      ...files,
      upload: async (...args) => {
        const [before, after] = [beforeUploadOfA, afterUploadOfA];
        [beforeUploadOfA, afterUploadOfA] = [null, null];
        await once(before);
        const stored = await files.upload(...args);
        await once(after);
        return stored;
      },
    }));
    b = openRealFiles(second, url);
    petId = await first.commands.createPet({ name: 'Bramble' });
    await settle();
    await choose([first, a], 'puppy', Date.now() - 9 * dayMs);
    await settle();
    await expectShown('puppy');
  });

  afterEach(async () => {
    await Promise.all(devices.map(({ client }) => client.close()));
    await backend.dispose();
  });

  it('O7.1 an older one that arrives later is not shown, and kept as a version with its bytes', async () => {
    await choose([devices[0], a], 'monday', Date.now() - 3 * dayMs);
    await choose([devices[1], b], 'wednesday', Date.now() - dayMs);
    await b.syncAll();
    await settle();
    await expectShown('wednesday');
    expect(await keptTexts(a)).toEqual(['monday']);
    expect(await versionsOn(must(devices[0]))).toMatchObject([
      { side: 'local', fields: { profilePictureVersion: md5Of(bytesOf('monday')) } },
    ]);
  });

  it('O7.2 a newer one is shown, and one that its owner had not seen is kept with its bytes', async () => {
    await choose([devices[1], b], 'monday', Date.now() - 3 * dayMs);
    await choose([devices[0], a], 'wednesday', Date.now() - dayMs);
    await b.syncAll();
    await b.syncAll();
    await settle();
    await expectShown('wednesday');
    expect(await keptTexts(a)).toEqual(['monday']);
    expect(await versionsOn(must(devices[0]))).toMatchObject([
      { side: 'server', fields: { profilePictureVersion: md5Of(bytesOf('monday')) } },
    ]);
  });

  it('O7.1 the stamp is the time of the choice, and an edit of another field does not change it', async () => {
    await choose([devices[0], a], 'monday', Date.now() - 3 * dayMs);
    await must(devices[0]).commands.updatePet(petId, { description: 'Fond of ducks' });
    await choose([devices[1], b], 'wednesday', Date.now() - dayMs);
    await a.syncAll();
    await settle();
    await expectShown('wednesday');
    const chosenMs = (await petOn(must(devices[0])))?.edits['profilePictureVersion'] ?? 0;
    expect(Math.round((Date.now() - chosenMs) / dayMs)).toBe(1);
  });

  it('O7.2 a picture that its owner has seen is replaced without a version', async () => {
    await choose([devices[1], b], 'grown up', Date.now() - dayMs);
    await settle();
    await expectShown('grown up');
    expect([await keptTexts(a), await keptTexts(b)]).toEqual([[], []]);
  });

  it.each([
    ['by one picture', ['friday']],
    ['by one after another', ['thursday', 'friday']],
  ])('O7.2 one that another device restored is kept if it is replaced %s', async (_, texts) => {
    for (const [days, text] of [
      [4, 'monday'],
      [3, 'puppy'],
    ] as const) {
      await choose([devices[1], b], text, Date.now() - days * dayMs);
      await b.syncAll();
      await b.syncAll();
    }
    for (const [index, text] of texts.entries()) {
      await choose([devices[0], a], text, Date.now() - dayMs + index);
    }
    await settle();
    await expectShown('friday');
    expect(await keptTexts(a)).toEqual(['puppy']);
  });

  it.each([
    ['before', 3, 'wednesday'],
    ['before', 1, 'monday'],
    ['after', 3, 'wednesday'],
    ['after', 1, 'monday'],
  ] as const)(
    'O7.3 uploads that cross, B’s %s A’s, chosen %i days ago: document and file agree',
    async (moment, daysAgo, shown) => {
      await choose([devices[0], a], 'monday', Date.now() - daysAgo * dayMs);
      await choose([devices[1], b], 'wednesday', Date.now() - 2 * dayMs);
      const cross = async (): Promise<void> => b.syncAll();
      if (moment === 'before') beforeUploadOfA = cross;
      else afterUploadOfA = cross;
      await settle();
      await expectShown(shown);
      const other = shown === 'monday' ? 'wednesday' : 'monday';
      expect([...(await keptTexts(a)), ...(await keptTexts(b))]).toContain(other);
    },
  );
});

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('not there');
  return value;
}
