import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startTestBackend } from '../support/servers/backend-in-process.ts';
import { openRealDevice, type RealDevice } from '../support/setups/real-device.ts';

const email = 'owner@example.com';

/** Two devices of one owner, with a dog that both know. */
async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-'));
  const backend = await startTestBackend();
  const { url } = backend.current();
  const phone = await openRealDevice({ url, email, isNew: true });
  const laptop = await openRealDevice({ url, email, isNew: false });
  const devices = [phone, laptop];
  onTestFinished(async () => {
    await Promise.all(devices.map(({ client }) => client.close()));
    await backend.dispose();
    await rm(folder, { recursive: true });
  });
  const petId = await phone.commands.createPet({ name: 'Bramble' });
  const write = async (device: RealDevice, texts: readonly string[]) => {
    for (const text of texts) await device.commands.addNote({ petId, text });
    await device.sync();
  };
  const headDocument = () => backend.current().firestore.get(`sync/${phone.uid}`);
  await phone.sync();
  await laptop.sync();
  return { backend, copy: join(folder, 'copy'), phone, laptop, devices, write, headDocument };
}

const sorted = (texts: readonly unknown[]): string[] =>
  texts.map(String).toSorted((one, other) => one.localeCompare(other));

async function textsOn({ store }: RealDevice): Promise<string[]> {
  const found = await store.listAll('entries', { afterId: '', limit: 100 });
  expect(found.filter(({ document }) => document.pending !== 0)).toEqual([]);
  return sorted(found.map(({ document }) => document.fields['text']));
}

it.each([
  ['as many notes', ['l1', 'l2', 'l3']],
  ['more notes', ['l1', 'l2', 'l3', 'l4']],
])(
  'no note is lost when the server was restored and another device first writes %s',
  async (_count, later) => {
    const { backend, copy, phone, laptop, devices, write, headDocument } = await setUp();
    await backend.current().backUp(copy);
    const saved = headDocument();
    await write(phone, ['p1', 'p2', 'p3']);

    await backend.restore(copy);
    expect(headDocument()).toEqual({ ...saved, epoch: expect.any(String) });
    expect(headDocument()).not.toEqual(saved);
    await write(laptop, later);
    for (const device of [phone, laptop, phone]) {
      expect(await device.sync()).toMatchObject({ problem: null });
    }
    const all = [...later, 'p1', 'p2', 'p3'];
    for (const device of devices) expect(await textsOn(device)).toEqual(all);
    const query = { collection: 'journalEntries', isGroup: true, limit: 100 };
    const stored = await backend.current().firestore.find(query);
    expect(sorted(stored.map(({ data }) => data['text']))).toEqual(all);
  },
);

it('two restores from one backup are two histories', async () => {
  const { backend, copy, headDocument } = await setUp();
  await backend.current().backUp(copy);
  const seen = [headDocument()];
  for (let restore = 0; restore < 2; restore += 1) {
    await backend.restore(copy);
    seen.push(headDocument());
  }
  expect(new Set(seen.map((document) => document?.['epoch'])).size).toBe(3);
  expect(new Set(seen.map((document) => document?.['head'])).size).toBe(1);
});
