import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { createManualClock } from '../../backend/tests/support/manual-clock.ts';
import { startGoogleServer } from '../support/google-server.ts';
import { writeServiceAccount } from '../support/service-account.ts';
import { describeFileCleanup } from './file-cleanup.ts';

/** The adapter that is deployed, with the real firebase-admin; Google's side is a server of this machine. */
const clock = createManualClock();
const google = await startGoogleServer(() => clock.now());
const folder = await mkdtemp(join(tmpdir(), 'pawpals-functions-'));
const account = join(folder, 'service-account.json');
await writeServiceAccount(account);
const projectId = 'demo-pawpals';
const storageBucket = 'demo-pawpals.firebasestorage.app';
Object.assign(process.env, {
  GOOGLE_APPLICATION_CREDENTIALS: account,
  FIREBASE_CONFIG: JSON.stringify({ projectId, storageBucket }),
  GCLOUD_PROJECT: projectId,
  FIRESTORE_EMULATOR_HOST: google.host,
  FIREBASE_STORAGE_EMULATOR_HOST: google.host,
});
// They read the environment when they are loaded.
const { openAdminFileCleanupPorts } =
  await import('../../functions/src/firebase/admin-file-cleanup-ports.ts');
const { fileCleanup } = await import('../../functions/src/index.ts');

const { firestore, files } = google;

async function empty(): Promise<void> {
  files.clear();
  for (const collection of ['pets', 'journalEntries']) {
    const isGroup = collection === 'journalEntries';
    const found = firestore.find({ collection, isGroup, limit: 10_000 });
    await firestore.commit(found.map(({ path }) => ({ delete: path })));
  }
}

afterAll(async () => {
  await google.stop();
  await rm(folder, { recursive: true, force: true });
});

describeFileCleanup('firebase-admin', async () => ({
  ports: { ...openAdminFileCleanupPorts(), now: () => clock.now() },
  now: () => clock.now(),
  advance: (ms) => clock.advance(ms),
  put: (documents) =>
    firestore.commit(Object.entries(documents).map(([path, data]) => ({ set: path, data }))),
  upload: async (name, metadata = {}) => files.put(name, { metadata }),
  files: async () => files.metadata(),
  dispose: empty,
}));

it('the deployed function runs every day', async () => {
  expect(fileCleanup.__endpoint.scheduleTrigger).toMatchObject({ schedule: 'every day 03:00' });
  files.put('pets/rex/images/profile.jpg');
  await fileCleanup.run({ scheduleTime: new Date(0).toISOString() });
  expect(files.metadata()).toEqual({
    'pets/rex/images/profile.jpg': { unreferredSince: expect.any(String) },
  });
});
