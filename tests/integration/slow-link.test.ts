import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSyncEngine } from '../../replication/documents/sync-engine.ts';
import type { SyncOutcome } from '../../replication/documents/sync-engine.ts';
import { createFirestoreDocuments } from '../../replication/firebase/firestore-documents.ts';
import { createPatientFetch } from '../../replication/firebase/patient-fetch.ts';
import type { Clock } from '../../replication/ports.ts';
import { startTestBackend, type TestBackend } from '../support/servers/backend-in-process.ts';
import { openFirestoreClient, type FirestoreClient } from '../support/servers/firestore-client.ts';
import { createMemoryDocumentStore } from '../support/fakes/memory-document-store.ts';
import { openSlowRelay, type SlowRelay } from '../support/servers/slow-relay.ts';

/** The factor by which all deadlines and the link are faster than in reality. */
const speed = 20;
const bytesPerSecond = 16_000 * speed;
const noteCount = 520;
/** The timeout is long, because the transfer alone takes more than two seconds. */
const limitMs = 20_000;

const fastClock: Clock = {
  now: () => Date.now() * speed,
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs / speed);
    return () => clearTimeout(timer);
  },
};

async function seedJournal(backend: TestBackend, uid: string) {
  const sync = (seq: number) => ({ seq, deleted: false, edits: {} });
  const note = (index: number) => {
    const id = `note-${String(index).padStart(15, '0')}`;
    const text = `${String(index)} ${'w'.repeat(596)}`;
    const content = { createdDate: new Date(1_700_000_000_000 + index), type: 'note', text };
    const data = { createdBy: uid, ...content, ...sync(index + 2) };
    return { set: `pets/bramble/journalEntries/${id}`, data };
  };
  const pet = { ownerId: uid, name: 'Bramble', ...sync(1) };
  const head = { head: noteCount + 1, epoch: 'epoch' };
  await backend
    .current()
    .firestore.commit([
      { set: 'pets/bramble', data: pet },
      ...Array.from({ length: noteCount }, (_, index) => note(index)),
      { set: `sync/${uid}`, data: head },
    ]);
}

describe('a link of 16 kB/s', { timeout: limitMs }, () => {
  let backend: TestBackend;
  let relay: SlowRelay;
  let client: FirestoreClient;

  const openDevice = () => {
    const patient = createPatientFetch({ send: fetch, clock: fastClock });
    vi.stubGlobal('fetch', patient.fetch);
    const remote = createFirestoreDocuments({
      firestore: client.firestore,
      uid: client.uid,
      clock: fastClock,
      probe: async () => false,
      isSignedIn: () => true,
      requests: patient,
    });
    const store = createMemoryDocumentStore();
    const newId = () => crypto.randomUUID();
    const engine = createSyncEngine({
      openPorts: (signal) => ({ store, remote: remote.under(signal) }),
      clock: fastClock,
      newId,
      log: () => undefined,
    });
    const sync = (signal = new AbortController().signal): Promise<SyncOutcome> =>
      engine.run(signal);
    return { store, sync };
  };

  beforeEach(async () => {
    backend = await startTestBackend();
    relay = await openSlowRelay(backend.current().url);
    client = await openFirestoreClient({ url: relay.url, email: 'a@example.com', isNew: true });
  });

  afterEach(async () => {
    vi.unstubAllGlobals();
    await client.close();
    await relay.close();
    await backend.dispose();
  });

  it('pulls a journal of 520 long notes in one run, although it takes longer than the deadline for silence', async () => {
    await seedJournal(backend, client.uid);
    const device = openDevice();
    relay.setRate(bytesPerSecond);
    expect(await device.sync()).toMatchObject({ kind: 'none', problem: null });
    expect(device.store.documents('entries')).toHaveLength(noteCount);
  });

  it('that stalls ends the run and its request; the next run keeps the pulled documents and fetches the rest', async () => {
    await seedJournal(backend, client.uid);
    const device = openDevice();
    const before = relay.sentBytes();
    relay.setRate(bytesPerSecond);
    const running = device.sync();
    await vi.waitFor(() => expect(device.store.documents('entries').length).toBeGreaterThan(0), {
      timeout: limitMs,
      interval: 10,
    });
    relay.setRate(0);
    expect(await running).toMatchObject({ kind: 'transient', problem: 'timeout' });
    await vi.waitFor(() => expect(relay.abortedConnections()).toBe(1));
    expect(device.store.documents('entries').length).toBeLessThan(noteCount);
    relay.setRate(Infinity);
    expect(await device.sync()).toMatchObject({ problem: null });
    expect(device.store.documents('entries')).toHaveLength(noteCount);
    expect(relay.sentBytes() - before).toBeLessThan(1_500_000);
  });

  it('aborts the request of a stopped run', async () => {
    await seedJournal(backend, client.uid);
    const device = openDevice();
    relay.setRate(0);
    const stop = new AbortController();
    const running = device.sync(stop.signal);
    await vi.waitFor(() => expect(relay.busyConnections()).toBe(1));
    stop.abort();
    expect(await running).toMatchObject({ kind: 'stopped' });
    await vi.waitFor(() => expect(relay.abortedConnections()).toBe(1));
  });
});
