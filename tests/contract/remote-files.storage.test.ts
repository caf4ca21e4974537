import { describe, expect, it } from 'vitest';
import { createStorageFiles } from '../../replication/firebase/storage-files.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { startTestBackend } from '../support/servers/backend-in-process.ts';
import { openFirestoreClient } from '../support/servers/firestore-client.ts';
import { bytesOf } from '../support/setups/test-outbox.ts';
import { describeRemoteFiles } from './remote-files.ts';

const storageBucket = 'demo-pawpals.appspot.com';
const signal = new AbortController().signal;

function filesAt(serverOrigin: string, idToken: () => Promise<string | null>) {
  return createStorageFiles({
    config: { serverOrigin, storageBucket },
    idToken,
    clock: systemClock,
  });
}

async function startWithDog() {
  const backend = await startTestBackend();
  const { url } = backend.current();
  const owner = await openFirestoreClient({ url, email: 'a@example.com', isNew: true });
  const data = { ownerId: owner.uid, name: 'Rex' };
  await backend.current().firestore.commit([{ set: 'pets/p1', data }]);
  return { backend, url, owner };
}

describeRemoteFiles('Storage on the embedded backend', async () => {
  const { backend, url, owner } = await startWithDog();
  return {
    files: filesAt(url, owner.idToken),
    unreachable: filesAt('http://localhost:1', owner.idToken),
    petId: 'p1',
    dispose: async () => {
      await owner.close();
      await backend.dispose();
    },
  };
});

describe('Storage on the embedded backend, for another user', () => {
  it('refuses a file of another owner’s dog permanently', async () => {
    const { backend, url, owner } = await startWithDog();
    const other = await openFirestoreClient({ url, email: 'b@example.com', isNew: true });
    const file = {
      objectName: 'pets/p1/images/profile.jpg',
      contentType: 'image/jpeg',
      bytes: bytesOf('not mine'),
    };
    const refused = { kind: 'permanent', code: 'http-403' };
    const stranger = filesAt(url, other.idToken);
    await expect(stranger.upload(file, signal)).rejects.toMatchObject(refused);
    await expect(stranger.download(file.objectName, signal)).rejects.toMatchObject(refused);
    await expect(stranger.remove(file.objectName, signal)).rejects.toMatchObject(refused);
    const forged = filesAt(url, async () => 'not a token');
    await expect(forged.upload(file, signal)).rejects.toMatchObject({ kind: 'transient' });
    await Promise.all([owner.close(), other.close()]);
    await backend.dispose();
  });
});
