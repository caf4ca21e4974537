import { expect, it } from 'vitest';
import { onlyJob } from '../../../tests/support/setups/test-outbox.ts';
import {
  addSpoken,
  contentOf,
  setUpTransfers,
  unhurried,
} from '../../../tests/support/setups/transfer-setup.ts';

it('an import brings back a recording whose bytes this device has lost, and replaces none that it has', async () => {
  const device = await setUpTransfers();
  await addSpoken(device, 'ducks', 5);
  const { zip } = await device.exportAll();
  const importAgain = async () => (await device.transfers.openImport(zip)).run(unhurried);
  const job = await onlyJob(device.outbox);
  await importAgain();
  expect(await onlyJob(device.outbox)).toEqual(job);

  await device.outbox.queue.discard(job);
  const lost = { ...job, stage: 'failed', code: 'bytes-missing' } as const;
  await device.store.commit({ jobs: [{ from: null, to: lost }] });
  expect((await contentOf(device)).entries).toMatchObject([{ sound: null }]);
  const counts = { known: 2, voiceNotes: 0, unreadableFiles: 0 };
  expect(await importAgain()).toMatchObject(counts);
  expect((await contentOf(device)).entries).toMatchObject([{ sound: 'ducks' }]);
  expect(await onlyJob(device.outbox)).toMatchObject({ stage: 'queued', code: null });
});
