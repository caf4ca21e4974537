import { doc, setDoc, type Firestore } from 'firebase/firestore/lite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eraseAccount } from '../../functions/src/account-cleanup/erase-account.ts';
import { createEmbeddedPorts } from '../../scripts/serve/embedded-functions.ts';
import { startTestBackend, type TestBackend } from '../support/servers/backend-in-process.ts';
import { openFirestoreClient, type FirestoreClient } from '../support/servers/firestore-client.ts';
import { createMemoryFiles } from '../support/fakes/memory-files.ts';

let backend: TestBackend;
let device: FirestoreClient;

/** Erases the account's data. The device's token stays valid, as it does for an hour on hosted Firebase. */
async function closeAccount(): Promise<void> {
  const { firestore } = backend.current();
  const { documents } = createEmbeddedPorts({
    firestore,
    storage: { list: () => ({ objects: [] }), delete: async () => {} },
  });
  await eraseAccount({ documents, files: createMemoryFiles() }, device.uid);
}

/** Writes a pet with the next seq of the owner, as sync does. */
const push = (id: string) =>
  device.documents.transact([{ collection: 'pets', id, petId: null }], ({ head }) => {
    const seq = (head?.head ?? 0) + 1;
    const fields = { name: 'Rex' };
    const ref = { collection: 'pets', id, petId: null } as const;
    const write = { ...ref, ownerId: device.uid, fields, edits: {}, deleted: false, seq };
    return { head: { head: seq, epoch: head?.epoch ?? 'e' }, writes: [write], result: seq };
  });

beforeEach(async () => {
  backend = await startTestBackend();
  const { url } = backend.current();
  device = await openFirestoreClient({ url, email: 'a@example.com', isNew: true });
});

afterEach(async () => {
  await device.close();
  await backend.dispose();
});

const sync = (firestore: Firestore, data: Record<string, unknown>) =>
  setDoc(doc(firestore, 'sync', device.uid), data);

describe('a device whose account was erased', () => {
  it('brings nothing back, whether it had synced or not', async () => {
    await push('rex');
    await closeAccount();
    await expect(push('rex')).rejects.toMatchObject({
      kind: 'permanent',
      code: 'permission-denied',
    });
    await expect(push('new')).rejects.toMatchObject({
      kind: 'permanent',
      code: 'permission-denied',
    });
    const { firestore } = backend.current();
    expect(await firestore.find({ collection: 'pets', limit: 1 })).toEqual([]);
    expect(firestore.get(`sync/${device.uid}`)).toMatchObject({ head: 1, closed: true });
  }, 30_000);

  it('can neither reopen the closed sync nor start one where it had never synced', async () => {
    await closeAccount();
    const denied = { code: 'permission-denied' };
    await expect(sync(device.firestore, { head: 1, epoch: 'e' })).rejects.toMatchObject(denied);
    const pet = { ownerId: device.uid, name: 'Rex', seq: 1, deleted: false, edits: {} };
    await expect(setDoc(doc(device.firestore, 'pets/rex'), pet)).rejects.toMatchObject(denied);
    expect(backend.current().firestore.get(`sync/${device.uid}`)).toEqual({ closed: true });
  }, 30_000);
});
