import 'fake-indexeddb/auto';
import { onTestFinished } from 'vitest';
import { createOutbox, type Outbox, type OutboxDeps } from '../../replication/outbox/outbox.ts';
import type { OutboxJob } from '../../schemas/outbox-job.ts';
import { currentLayout } from '../../store/layout.ts';
import { databaseName, declareStores } from '../../store/stores.ts';
import { newId } from '../../src/platform/new-id.ts';

interface TestOutboxOptions extends Partial<Omit<OutboxDeps, 'database'>> {
  readonly uid?: string;
}

/** The real outbox, in an owner's database on an IndexedDB in memory; closed when the test ends. */
export function openTestOutbox({ uid = crypto.randomUUID(), ...deps }: TestOutboxOptions = {}) {
  const database = declareStores(databaseName(uid), currentLayout);
  onTestFinished(() => database.close());
  return createOutbox({ database, now: Date.now, newId, ...deps });
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

/** The only job; fails if there is none or more. */
export async function onlyJob(outbox: Outbox): Promise<OutboxJob> {
  const [job, ...others] = await outbox.queue.list();
  if (job === undefined || others.length > 0) throw new Error('not one job');
  return job;
}
