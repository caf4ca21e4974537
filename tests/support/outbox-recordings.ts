import type { OutboxJob } from '../../schemas/outbox-job.ts';
import type { createOutboxRig } from './outbox-rig.ts';
import { clean, newEntry } from './sync-documents.ts';
import { bytesOf } from './test-outbox.ts';

type Rig = ReturnType<typeof createOutboxRig>;

const spoken = { type: 'voice-note', text: '', transcript: 'waiting', durationMs: 4_000 };

/** The entry of a recording that is still to be heard. */
export function voiceEntry(id: string, petId = 'p1') {
  const { text: _, ...fields } = spoken;
  const entry = newEntry({ id, petId, fields });
  const { text: __, ...content } = entry.fields;
  return { ...entry, fields: content };
}

/** Recorded, and in the hands of who has recorded it. */
export async function record(
  { outbox }: Rig,
  id: string,
  text = `sound of ${id}`,
): Promise<OutboxJob> {
  const contentType = 'audio/webm;codecs=opus';
  await outbox.recordings.begin({ id, petId: 'p1', contentType, startedAtMs: Date.now() });
  await outbox.recordings.append({ recordingId: id, index: 0, bytes: bytesOf(text), untilMs: 500 });
  const job = await outbox.recordings.finish(id, 4_000);
  if (job === null) throw new Error('nothing was recorded');
  return job;
}

/** Recorded, and its entry on the server. */
export async function recordAndWrite(rig: Rig, id = 'e1'): Promise<OutboxJob> {
  const job = await record(rig, id);
  rig.store.put(clean(voiceEntry(id), 5));
  return job;
}
