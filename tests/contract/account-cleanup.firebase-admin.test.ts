import { expect, it } from 'vitest';
import { openGoogleProject, projectId } from '../support/servers/google-project.ts';
import { describeAccountCleanup } from './account-cleanup.ts';

/** The tests run the deployed adapter with the real firebase-admin; a local server stands in for Google. */
const google = await openGoogleProject();
// These modules read the environment when they are loaded.
const { openAdminPorts } = await import('../../functions/src/firebase/admin-ports.ts');
const { accountCleanup } = await import('../../functions/src/index.ts');

const { firestore, files } = google;

async function empty(): Promise<void> {
  files.clear();
  const collections = ['pets', 'sync', 'organizations', 'journalEntries', 'transcriptionLimits'];
  for (const collection of collections) {
    const isGroup = collection === 'journalEntries';
    const found = await firestore.find({ collection, isGroup, limit: 10_000 });
    await firestore.commit(found.map(({ path }) => ({ delete: path })));
  }
}

describeAccountCleanup('firebase-admin', async () => ({
  ports: openAdminPorts(),
  put: (documents) =>
    firestore.commit(Object.entries(documents).map(([path, data]) => ({ set: path, data }))),
  get: async (path) => firestore.get(path),
  upload: async (name) => files.put(name),
  fileNames: async () => files.names(),
  dispose: empty,
}));

it('the deployed function runs when a user is deleted, and again until it succeeds', async () => {
  expect(accountCleanup.__endpoint.eventTrigger).toMatchObject({
    eventType: 'providers/firebase.auth/eventTypes/user.delete',
    retry: true,
  });
  await firestore.commit([{ set: 'pets/rex', data: { ownerId: 'alice' } }]);
  const toJSON = () => ({});
  const metadata = { creationTime: '', lastSignInTime: '', toJSON };
  const known = { emailVerified: false, disabled: false, metadata, providerData: [], toJSON };
  await accountCleanup.run(
    { uid: 'alice', ...known },
    {
      eventId: '1',
      timestamp: new Date(0).toISOString(),
      eventType: 'google.firebase.auth.user.v1.deleted',
      resource: { service: 'firebaseauth.googleapis.com', name: `projects/${projectId}` },
      params: {},
    },
  );
  expect(firestore.get('pets/rex')).toBeNull();
  expect(firestore.get('sync/alice')).toEqual({ closed: true });
});
