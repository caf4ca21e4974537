import { expect, it } from 'vitest';
import { createOutboxWorker } from '../../replication/outbox/outbox-worker.ts';
import { cachedPictureId } from '../../schemas/local/file-bytes.ts';
import { createMemoryRemoteFiles } from '../support/fakes/memory-remote-files.ts';
import { change, clean } from '../support/setups/data-setup.ts';
import { bytesOf, textOf, untroubled } from '../support/setups/test-outbox.ts';
import {
  addSpoken,
  contentOf,
  setUpTransfers,
  unhurried,
  type TransferDevice,
} from '../support/setups/transfer-setup.ts';

const { signal } = unhurried;

/** A server of files, and the passes of a device until its queue is empty. */
function fileServer({ store, outbox, clock }: TransferDevice) {
  const server = createMemoryRemoteFiles();
  const worker = createOutboxWorker({
    outbox,
    store,
    files: server.connect(),
    clock,
    ...untroubled,
  });
  const acceptDocuments = async (): Promise<void> => {
    for (const collection of ['pets', 'entries'] as const) {
      const waiting = await store.listPending(collection, 1, { afterId: '', limit: 10 });
      for (const { document } of waiting) await change(store, document, clean(1));
    }
  };
  const syncAll = async (): Promise<void> => {
    for (let round = 0; round < 4; round += 1) {
      await acceptDocuments();
      await worker.runOnce(signal);
      // Retries and removals become due.
      await clock.advance(3 * 60_000);
    }
    expect(await outbox.queue.list()).toEqual([]);
  };
  return { server, syncAll };
}

it.each([
  ['lacks', 2],
  ['has', 0],
])(
  'an import on a device that has lost its files sends them, under their names, to a server that %s them',
  async (has, sent) => {
    const device = await setUpTransfers();
    const { store, petId, files, transfers } = device;
    await addSpoken(device, 'ducks', 5);
    await files.setProfilePicture(petId, { bytes: bytesOf('face'), contentType: 'image/jpeg' });
    const { server, syncAll } = fileServer(device);
    await syncAll();
    const before = await contentOf(device);
    const names = [...server.stored().keys()];
    expect(names).toHaveLength(2);
    const { zip } = await device.exportAll();

    const here = [...names, cachedPictureId(petId)];
    await store.commit({ bytes: here.map((id) => [id, null]) });
    if (has === 'lacks') for (const name of names) await server.connect().remove(name, signal);
    const sentBefore = server.uploads.length;
    await (await transfers.openImport(zip)).run(unhurried);
    await syncAll();
    expect(await contentOf(device)).toEqual(before);
    expect(server.uploads).toHaveLength(sentBefore + sent);
    expect([...server.stored().keys()].toSorted()).toEqual(names.toSorted());
    const texts = [...server.stored().values()].map(({ bytes }) => textOf(bytes));
    expect(new Set(texts)).toEqual(new Set(['ducks', 'face']));
  },
);

/** Exports all while a recording of four seconds is in progress, and once it is whole. */
async function exportTwice({ petId, files, exportAll }: TransferDevice) {
  const recording = await files.voice.begin({ petId, contentType: 'audio/webm;codecs=opus' });
  await recording.append(bytesOf('the first half'), 2_000);
  const { zip: beginning } = await exportAll();
  await recording.append(bytesOf(', and the second half'), 4_000);
  await recording.finish(4_000);
  const { zip: whole } = await exportAll();
  return { id: recording.id, beginning, whole };
}

const wholeText = 'the first half, and the second half';

async function run({ transfers }: TransferDevice, zip: Blob) {
  return (await transfers.openImport(zip)).run(unhurried);
}

/** Removes the recordings that a device has in its cache. */
async function forgetSounds({ store, outbox }: TransferDevice): Promise<void> {
  const cached = await outbox.caches.recordings();
  await store.commit({ bytes: cached.map(({ id }) => [id, null]) });
}

it('an import of the beginning of a recording does not replace the whole of it', async () => {
  const device = await setUpTransfers();
  const { id, beginning } = await exportTwice(device);
  await device.files.voice.keep(id);
  const { server, syncAll } = fileServer(device);
  await syncAll();
  const stored = [...server.stored()];
  expect(stored.map(([, { bytes }]) => textOf(bytes))).toEqual([wholeText]);

  await forgetSounds(device);
  const before = await contentOf(device);
  expect(await run(device, beginning)).toMatchObject({ lostFiles: 0 });
  await syncAll();
  expect(await contentOf(device)).toEqual(before);
  expect([...server.stored()]).toEqual(stored);
});

it('an import of the beginning of a recording leaves it whole before its owner keeps it', async () => {
  const device = await setUpTransfers();
  const { beginning } = await exportTwice(device);
  await run(device, beginning);
  const { server, syncAll } = fileServer(device);
  await syncAll();
  expect([...server.stored().values()].map(({ bytes }) => textOf(bytes))).toEqual([wholeText]);
  const spoken = { durationMs: 4_000, sound: wholeText, text: 'went away' };
  expect((await contentOf(device)).entries).toMatchObject([spoken]);
});

it('an import of the whole of a recording replaces its beginning', async () => {
  const { beginning, whole } = await exportTwice(await setUpTransfers());
  const device = await setUpTransfers();
  const { server, syncAll } = fileServer(device);
  await run(device, beginning);
  await syncAll();
  await forgetSounds(device);
  expect(await run(device, whole)).toMatchObject({ lostFiles: 1 });
  await syncAll();
  const [spoken] = (await contentOf(device)).entries;
  expect(spoken).toMatchObject({ durationMs: 4_000, sound: wholeText });
  expect([...server.stored().values()].map(({ bytes }) => textOf(bytes))).toEqual([wholeText]);
});
