import { afterEach, beforeEach, expect, it } from 'vitest';
import { readOrganizations } from '../../replication/firebase/organizations.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { startTestBackend, type TestBackend } from '../support/servers/backend-in-process.ts';
import { openFirestoreClient, type FirestoreClient } from '../support/servers/firestore-client.ts';

let backend: TestBackend;
let client: FirestoreClient;

beforeEach(async () => {
  backend = await startTestBackend();
  const { url } = backend.current();
  client = await openFirestoreClient({ url, email: 'owner@example.com', isNew: true });
});

afterEach(async () => {
  await client.close();
  await backend.dispose();
});

const read = () => readOrganizations(client.firestore, systemClock);

it('are none at first', async () => {
  expect(await read()).toEqual([]);
});

it('are read under the deployed rules; an invalid one is left out', async () => {
  await backend.current().firestore.commit([
    { set: 'organizations/club', data: { tradingName: ' Fenland ', memberCount: 42, more: true } },
    { set: 'organizations/nameless', data: { tradingName: ' ', memberCount: 1 } },
    { set: 'organizations/odd', data: { tradingName: 'Odd', memberCount: 'many' } },
  ]);
  expect(await read()).toEqual([{ id: 'club', tradingName: 'Fenland', memberCount: 42 }]);
});

it('fail as unanswered when the server is gone', async () => {
  await backend.current().stop();
  await expect(read()).rejects.toMatchObject({ kind: 'transient' });
});
