import { expect, it } from 'vitest';
import { createOutboxWorker } from '../../replication/outbox/outbox-worker.ts';
import { cachedPictureId } from '../../schemas/local/file-bytes.ts';
import { createMemoryRemoteFiles } from '../support/fakes/memory-remote-files.ts';
import { change, clean } from '../support/setups/data-setup.ts';
import { bytesOf, onlyJob, textOf, untroubled } from '../support/setups/test-outbox.ts';
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

it('an import of an export that was made during a recording leaves the recording to its owner', async () => {
  const device = await setUpTransfers();
  const { petId, files, outbox, transfers } = device;
  const recording = await files.voice.begin({ petId, contentType: 'audio/webm;codecs=opus' });
  await recording.append(bytesOf('the first half'), 2_000);
  const { zip, ...contents } = await device.exportAll();
  expect(contents).toMatchObject({ voiceNotes: 0, missingFiles: 1 });
  await recording.append(bytesOf(', and the second half'), 4_000);
  await recording.finish(4_000);

  await (await transfers.openImport(zip)).run(unhurried);
  expect((await contentOf(device)).entries).toEqual([]);
  expect((await onlyJob(outbox)).stage).toBe('recorded');
  await files.voice.keep(recording.id, { text: 'Ducks', transcript: 'edited' });
  const { server, syncAll } = fileServer(device);
  await syncAll();
  const sound = 'the first half, and the second half';
  expect([...server.stored().values()].map(({ bytes }) => textOf(bytes))).toEqual([sound]);
  const spoken = { durationMs: 4_000, sound, text: 'Ducks' };
  expect((await contentOf(device)).entries).toMatchObject([spoken]);
});
