import { expect, it } from 'vitest';
import { createManualClock } from '../../backend/tests/support/fakes/manual-clock.ts';
import { openGoogleProject } from '../support/servers/google-project.ts';
import { describeFileCleanup } from './file-cleanup.ts';

/** The tests run the deployed adapter with the real firebase-admin; a local server stands in for Google. */
const clock = createManualClock();
const google = await openGoogleProject(() => clock.now());
// These modules read the environment when they are loaded.
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
