import { initializeFirestore } from 'firebase/firestore/lite';
import { initializeApp } from 'firebase/app';
import { describe, expect, it, vi } from 'vitest';
import { createFirestoreDocuments } from '../../replication/firebase/firestore-documents.ts';
import type { DocumentRef } from '../../replication/ports.ts';
import type { Fields } from '../../schemas/documents/sync-state.ts';
import { systemClock } from '../../src/platform/system-clock.ts';
import { startTestBackend } from '../support/servers/backend-in-process.ts';
import { openFirestoreClient } from '../support/servers/firestore-client.ts';
import { describeRemoteDocuments } from './remote-documents.ts';

function pathOf({ id, petId }: DocumentRef): string {
  return petId === null ? `pets/${id}` : `pets/${petId}/journalEntries/${id}`;
}

/** Returns the fields as an earlier client stored them: instants as timestamps, a date of birth as midnight UTC. */
function storedFields(fields: Fields): Record<string, string | number | Date> {
  const stored: Record<string, string | number | Date> = { ...fields };
  const { createdDate, dob } = fields;
  if (typeof createdDate === 'number') stored['createdDate'] = new Date(createdDate);
  if (typeof dob === 'string') stored['dob'] = new Date(`${dob}T00:00:00Z`);
  return stored;
}

/** Nothing listens on port 1. */
function unreachableDocuments(uid: string) {
  const app = initializeApp({ projectId: 'demo-pawpals' }, crypto.randomUUID());
  const firestore = initializeFirestore(app, { host: 'localhost:1', ssl: false });
  return createFirestoreDocuments({ firestore, uid, clock: systemClock, probe, isSignedIn });
}

const probe = async () => false;
const isSignedIn = () => true;

describeRemoteDocuments('Firestore SDK on the embedded backend', async () => {
  const backend = await startTestBackend();
  const { url } = backend.current();
  const [emailA, emailB] = ['a@example.com', 'b@example.com'];
  const a = await openFirestoreClient({ url, email: emailA, isNew: true });
  const a2 = await openFirestoreClient({ url, email: emailA, isNew: false });
  const b = await openFirestoreClient({ url, email: emailB, isNew: true });
  const admin = () => backend.current().firestore;
  return {
    uidA: a.uid,
    uidB: b.uid,
    a: a.documents,
    a2: a2.documents,
    b: b.documents,
    unreachable: unreachableDocuments(a.uid),
    seedUnsequenced: async ({ collection, ownerId, fields, ...ref }) => {
      const owner = collection === 'pets' ? { ownerId } : { createdBy: ownerId };
      const data = { ...owner, ...storedFields(fields) };
      await admin().commit([{ set: pathOf({ collection, ...ref }), data }]);
    },
    seedUnknownField: async (ref, name, value) => {
      const data = { ...admin().get(pathOf(ref)), [name]: value };
      await admin().commit([{ set: pathOf(ref), data }]);
    },
    readUnknownField: async (ref, name) => admin().get(pathOf(ref))?.[name],
    restart: () => backend.restart(),
    dispose: async () => {
      await Promise.all([a, a2, b].map((client) => client.close()));
      await backend.dispose();
    },
  };
});

describe('Firestore SDK on the embedded backend, when it is closed', () => {
  it('resolves idle once no request is in flight', async () => {
    const backend = await startTestBackend();
    const { url } = backend.current();
    const owner = await openFirestoreClient({ url, email: 'a@example.com', isNew: true });
    const ended = vi.fn<() => void>();
    await owner.documents.idle();
    // The call makes two requests, one after the other.
    const pulling = owner.documents.hasUnsequenced('pets').then(ended);
    expect(ended).not.toHaveBeenCalled();
    await owner.documents.idle();
    await new Promise(setImmediate);
    expect(ended).toHaveBeenCalledTimes(1);
    await pulling;
    await owner.close();
    await backend.dispose();
  });

  it('D11.4 refuses every call under an aborted signal, and drops the answer of a call in flight', async () => {
    const backend = await startTestBackend();
    const { url } = backend.current();
    const owner = await openFirestoreClient({ url, email: 'a@example.com', isNew: true });
    const { documents } = owner;
    const stop = new AbortController();
    const stopped = documents.under(stop.signal);
    const head = { head: 1, epoch: 'late' };
    const calls = [
      () => stopped.readHead(),
      () => stopped.pull('pets', 0, 10),
      () => stopped.hasUnsequenced('pets'),
      () => stopped.sumOfSeqs('pets'),
      () => stopped.scan('pets', null, 10),
      () => stopped.transact([], () => ({ head, writes: [], result: null })),
    ];
    await expect(stopped.readHead()).resolves.toBeNull();
    const inFlight = stopped.readHead();
    stop.abort();
    await expect(inFlight).rejects.toBe(stop.signal.reason);
    for (const call of calls) await expect(call()).rejects.toBe(stop.signal.reason);
    await expect(documents.readHead()).resolves.toBeNull();
    await owner.close();
    await backend.dispose();
  });
});
