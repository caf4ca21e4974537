import 'fake-indexeddb/auto';
import { onTestFinished } from 'vitest';
import { openOutbox, type Outbox, type OutboxDeps } from '../../replication/outbox/outbox.ts';
import type { OutboxJob } from '../../schemas/outbox-job.ts';
import { newId } from '../../src/platform/new-id.ts';

/** The real outbox, on an IndexedDB in memory; closed when the test ends. */
export function openTestOutbox(deps: Partial<OutboxDeps> = {}): Outbox {
  const outbox = openOutbox({ uid: crypto.randomUUID(), now: Date.now, newId, ...deps });
  onTestFinished(() => outbox.close());
  return outbox;
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
