import 'fake-indexeddb/auto';
import { openOutbox } from '../../../store/files/open-outbox.ts';
import type { Outbox } from '../../../store/files/outbox.ts';
import type { OutboxDeps } from '../../../store/files/outbox-deps.ts';
import { storedBytes } from '../../../store/files/recordings.ts';
import type { DocumentStore } from '../../../store/document-store.ts';
import type { OutboxJob } from '../../../schemas/local/outbox-job.ts';
import { newId } from '../../../src/platform/new-id.ts';
import { openTestDatabase } from './test-database.ts';

type TestOutboxOptions = Partial<Omit<OutboxDeps, 'store' | 'files'>>;

/** Opens the real outbox in an owner's database on an IndexedDB in memory, and closes it when the test ends. */
export async function openTestOutbox(options: TestOutboxOptions = {}, uid?: string) {
  return openOutbox(await openTestDatabase(uid), { now: Date.now, newId, ...options });
}

/** The dependencies of an outbox worker besides its stores and the server: the device is online, and every call succeeds. */
export const untroubled = {
  transcriber: { transcribe: async () => ({ text: 'went away', rough: false }) },
  online: { isOnline: () => true },
  random: () => 0,
  log: () => undefined,
  confirmAccount: async () => undefined,
  correctedNow: Date.now,
  onWritten: () => undefined,
};

/** Stores a job unchanged, without the commands. */
export async function putJob(
  store: Pick<DocumentStore, 'readRecord' | 'commit'>,
  job: OutboxJob,
  bytes: ArrayBuffer,
): Promise<void> {
  const before = await store.readRecord(job.id);
  const from = before?.kind === 'outbox-job' ? before.job : null;
  await store.commit({ jobs: [{ from, to: job }], bytes: [storedBytes(job, bytes, 0)] });
}

export function bytesOf(text: string): ArrayBuffer {
  const bytes = new TextEncoder().encode(text);
  return bytes.buffer.slice(0, bytes.byteLength);
}

export function textOf(bytes: ArrayBuffer | null | undefined): string | null {
  return bytes ? new TextDecoder().decode(bytes) : null;
}

export function pictureOf(petId: string, text = `picture of ${petId}`) {
  return { petId, bytes: bytesOf(text), contentType: 'image/jpeg' };
}

/** Returns the only job. @throws if there is none, or more than one. */
export async function onlyJob(outbox: Outbox): Promise<OutboxJob> {
  const [job, ...others] = await outbox.queue.list();
  if (job === undefined || others.length > 0) throw new Error('not one job');
  return job;
}
