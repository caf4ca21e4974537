import { checkpointId, filesHistoryId } from '../../schemas/local-record.ts';
import { fileOf } from '../../schemas/remove-file.ts';
import type { Clock } from '../ports.ts';
import { writeRecord } from '../../store/change-documents.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import type { Outbox } from '../../store/files/outbox.ts';
import { goneMark } from '../../store/files/voice-note-files.ts';

export interface CachedRecordingsDeps {
  readonly outbox: Pick<Outbox, 'voiceNotes' | 'caches'>;
  readonly store: Pick<DocumentStore, 'get' | 'readRecord' | 'commit'>;
  readonly clock: Pick<Clock, 'now'>;
}

/**
 * Cached recordings become jobs again where the server may lack them.
 *
 * - One whose entry was deleted has a job, which keeps its bytes, for as long as the entry may come back.
 * - In another history of the server, which may have lost files, each is compared with the server.
 */
export async function requeueCached({ outbox, store, clock }: CachedRecordingsDeps): Promise<void> {
  const checkpoint = await store.readRecord(checkpointId);
  const epoch = checkpoint?.kind === 'checkpoint' ? checkpoint.epoch : null;
  const before = await store.readRecord(filesHistoryId);
  const seenEpoch = before?.kind === 'files-history' ? before.epoch : epoch;
  const cached = await outbox.caches.recordings();
  const ids = cached.map(({ documentId }) => documentId);
  const entries = await store.get('entries', [...new Set(ids)]);
  for (const recording of cached) {
    const entry = entries.get(recording.documentId)?.document;
    if (entry?.deleted === true) {
      await outbox.voiceNotes.requeue(recording, goneMark(clock.now()));
    } else if (epoch !== seenEpoch && entry !== undefined && fileOf(entry) === recording.id) {
      await outbox.voiceNotes.requeue(recording, {});
    }
  }
  if (epoch === null || (before !== null && epoch === seenEpoch)) return;
  await writeRecord(store, filesHistoryId, { kind: 'files-history', epoch });
}
