import { withEdit, type LocalDocument } from '../../schemas/document.ts';
import type { OutboxJob } from '../../schemas/outbox-job.ts';
import { removal } from '../../schemas/remove-file.ts';
import { changeDocuments } from '../documents/compare-and-set.ts';
import { RemoteError, type Clock, type Transcriber } from '../ports.ts';
import type { DocumentStore } from '../store/document-store.ts';
import type { JobPolicy, Readiness } from './job-policy.ts';
import type { Outbox } from './outbox.ts';

/**
 * Voice notes.
 *
 * - Uploaded only after the dog and the entry are on the server.
 * - The entry learns of its file, and later of its words, by edits like any other, which are merged and pushed.
 * - Words of a machine are written only where they are waited for: a person's stay.
 * - A deleted entry keeps its recording for as long as the deletion can be taken back.
 */
export interface VoiceNotePolicyDeps {
  readonly outbox: Pick<Outbox, 'voiceNotes' | 'queue'>;
  readonly store: DocumentStore;
  readonly transcriber: Transcriber;
  readonly clock: Pick<Clock, 'now'>;
  /** Epoch milliseconds, corrected by the server's clock. */
  readonly correctedNow: () => Promise<number>;
  /** A document was edited: sync should hear of it. */
  readonly onWritten: () => void;
}

/** Longer than a deletion can be taken back. */
export const goneGraceMs = 60_000;

const awaited: ReadonlySet<unknown> = new Set(['waiting', 'failed', undefined]);

type Changes = Parameters<typeof withEdit>[1];

function fileOf({ objectName, contentType, durationMs }: OutboxJob): Changes {
  return { fileLocation: objectName, contentType, ...(durationMs !== undefined && { durationMs }) };
}

/** Nobody spoke: what was there from an earlier attempt stays. */
function wordsFor({ fields }: LocalDocument, text: string): Changes {
  if (text.trim() !== '') return { text: text.trim(), transcript: 'done' };
  return { transcript: fields['text'] === undefined ? 'none' : 'done' };
}

function isNewsFor({ fields }: LocalDocument, changes: Changes): boolean {
  return Object.entries(changes).some(([name, value]) => fields[name] !== value);
}

export interface VoiceNotePolicy extends JobPolicy {
  /** When a recording whose entry is gone goes too, in epoch milliseconds; null if none does. */
  nextDropMs(): number | null;
}

export function createVoiceNotePolicy(deps: VoiceNotePolicyDeps): VoiceNotePolicy {
  const { outbox, store, transcriber } = deps;
  /** By job: when its entry was first seen gone, in this session. */
  const goneSinceMs = new Map<string, number>();

  const entryOf = async ({ entryId }: OutboxJob): Promise<LocalDocument | null> => {
    const id = entryId ?? '';
    return (await store.get('entries', [id])).get(id)?.document ?? null;
  };

  const isGoneForGood = (jobId: string): boolean => {
    const sinceMs = goneSinceMs.get(jobId) ?? deps.clock.now();
    goneSinceMs.set(jobId, sinceMs);
    return deps.clock.now() - sinceMs >= goneGraceMs;
  };

  const readiness = async (job: OutboxJob): Promise<Readiness> => {
    const entry = await entryOf(job);
    if (entry === null || entry.deleted) return isGoneForGood(job.id) ? 'drop' : 'wait';
    goneSinceMs.delete(job.id);
    return entry.seq === null ? 'wait' : 'ready';
  };

  const edit = async (job: OutboxJob, toChanges: (entry: LocalDocument) => Changes | null) => {
    const nowMs = await deps.correctedNow();
    const target = { collection: 'entries', ids: [job.entryId ?? ''] } as const;
    const changed = await changeDocuments(store, target, (entry) => {
      if (entry === null || entry.deleted) return null;
      const changes = toChanges(entry);
      if (changes === null || !isNewsFor(entry, changes)) return null;
      return { document: withEdit(entry, changes, nowMs) };
    });
    if (changed > 0) deps.onWritten();
  };

  const editAwaited = (job: OutboxJob, toChanges: (entry: LocalDocument) => Changes) =>
    edit(job, (entry) => (awaited.has(entry.fields['transcript']) ? toChanges(entry) : null));

  const transcribe = async (job: OutboxJob, signal: AbortSignal): Promise<void> => {
    const entry = await entryOf(job);
    if (entry === null || entry.deleted || !awaited.has(entry.fields['transcript'])) return;
    try {
      const text = await transcriber.transcribe(job.objectName, signal);
      await editAwaited(job, (stored) => wordsFor(stored, text));
    } catch (error) {
      const isRefused = error instanceof RemoteError && error.kind === 'permanent';
      if (isRefused) await editAwaited(job, () => ({ transcript: 'failed' }));
      throw error;
    }
  };

  return {
    readiness,
    settle: async (job) => {
      await edit(job, () => fileOf(job));
      await outbox.voiceNotes.keepUploaded(job);
    },
    transcribe,
    complete: async (job) => void (await outbox.queue.remove(job)),
    drop: async (job) => {
      // An upload may have arrived of which no document was told.
      const { entryId, objectName, stage } = job;
      if (entryId !== null && stage !== 'queued') {
        const [id, record] = removal({ collection: 'entries', id: entryId }, objectName);
        await store.writeRecord(id, record);
      }
      await outbox.queue.remove(job);
      goneSinceMs.delete(job.id);
    },
    nextDropMs: () => {
      const first = Math.min(...goneSinceMs.values());
      return Number.isFinite(first) ? first + goneGraceMs : null;
    },
  };
}
