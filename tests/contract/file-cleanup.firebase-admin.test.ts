import { expect, it, onTestFinished } from 'vitest';
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

const picture = 'pets/rex/images/profile.jpg';
const recording = 'pets/rex/audios/voice-note-1.webm';
const round = 'maintenance/fileCleanup';

async function empty(): Promise<void> {
  files.clear();
  await firestore.commit([{ delete: round }]);
  for (const collection of ['pets', 'journalEntries']) {
    const isGroup = collection === 'journalEntries';
    const found = await firestore.find({ collection, isGroup, limit: 10_000 });
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

it('the deployed function goes through the bucket once, and again when the next round is due', async () => {
  onTestFinished(empty);
  expect(fileCleanup.__endpoint.scheduleTrigger).toMatchObject({ schedule: 'every 1 hours' });
  const runNow = () => fileCleanup.run({ scheduleTime: new Date(0).toISOString() });
  const marked = { unreferredSince: expect.any(String) };
  files.put(picture);
  await runNow();
  expect(files.metadata()).toEqual({ [picture]: marked });
  const done = { startedMs: expect.any(Number), after: null, isDone: true };
  expect(firestore.get(round)).toEqual(done);
  files.put(recording);
  await runNow();
  expect(files.metadata()).toEqual({ [picture]: marked, [recording]: {} });
  await firestore.commit([{ set: round, data: { startedMs: 0, after: picture, isDone: true } }]);
  await runNow();
  expect(files.metadata()).toEqual({ [picture]: marked, [recording]: marked });
});

it('the deployed function goes on where the last run stopped', async () => {
  onTestFinished(empty);
  files.put(recording);
  files.put(picture);
  const begun = { startedMs: 0, after: recording, isDone: false };
  await firestore.commit([{ set: round, data: begun }]);
  await fileCleanup.run({ scheduleTime: new Date(0).toISOString() });
  expect(files.metadata()).toEqual({
    [recording]: {},
    [picture]: { unreferredSince: expect.any(String) },
  });
  expect(firestore.get(round)).toEqual({ startedMs: 0, after: null, isDone: true });
});

it('no file is lost by a page of Storage that has none but the file before it', async () => {
  onTestFinished(empty);
  const all = [1, 2, 3, 4].map((at) => `pets/rex/audios/voice-note-${at}.webm`);
  for (const each of all) files.put(each);
  files.shortenPages(1);
  const { files: ports } = openAdminFileCleanupPorts();
  const page = await ports.list({ prefix: 'pets/', limit: 9, after: all[1] ?? null });
  expect([page.files.map(({ name }) => name), page.next]).toEqual([[all[2]], all[2]]);
});
