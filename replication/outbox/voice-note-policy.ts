import { newerSchemaCode, withEdit, type LocalDocument } from '../../schemas/documents/document.ts';
import { isUntouched, untried, type OutboxJob } from '../../schemas/local/outbox-job.ts';
import { deletedEntryFileKeptMs, fileOf, removal } from '../../schemas/local/remove-file.ts';
import {
  noEngineCode,
  transcriptAfter,
  type TranscribeAnswer,
} from '../../schemas/transcription.ts';
import { textAuthor } from '../../schemas/documents/text-author.ts';
import { changeDocuments, writeRecord, type Change } from '../../store/change-documents.ts';
import { RemoteError } from '../ports.ts';
import type { FilesContext } from './files-context.ts';
import type { JobAtHand, JobPolicy } from './job-policy.ts';

const awaited: ReadonlySet<unknown> = new Set(['waiting', 'unheard', 'failed', undefined]);

type Changes = Parameters<typeof withEdit>[1];

function newFileOf({ objectName, contentType, durationMs }: OutboxJob): Changes {
  return { fileLocation: objectName, contentType, ...(durationMs !== undefined && { durationMs }) };
}

/**
 * Returns the edit of a transcript. Without words, an earlier text stays with its mark.
 * @param answer null if the server makes no transcripts; `refused` if it refused this recording for good.
 */
function wordsFor({ fields }: LocalDocument, answer: TranscribeAnswer | 'refused' | null): Changes {
  const isRefused = answer === 'refused';
  const transcript = isRefused ? 'failed' : transcriptAfter(answer);
  const text = isRefused ? '' : (answer?.text.trim() ?? '');
  if (text !== '') return { text, transcript };
  if (fields['text'] === undefined) return { transcript };
  return { transcript: fields['transcript'] === 'rough' ? 'rough' : 'done' };
}

function wouldChange({ fields }: LocalDocument, changes: Changes): boolean {
  return Object.entries(changes).some(([name, value]) => fields[name] !== value);
}

function isPersons({ fields }: LocalDocument): boolean {
  return textAuthor(fields) === 'person';
}

/** Whether the owner asked to replace this text, and has written no other since. */
function isReplaced({ replacesStamp }: OutboxJob, entry: LocalDocument): boolean {
  return (entry.edits['text'] ?? 0) === replacesStamp;
}

function isWanted(job: OutboxJob, entry: LocalDocument): boolean {
  const isAwaited = !isPersons(entry) && awaited.has(entry.fields['transcript']);
  return isAwaited || isReplaced(job, entry);
}

/**
 * Syncs voice notes.
 *
 * - A recording is uploaded only after its pet and its entry are on the server.
 * - The entry gets its file, and later its transcript, by edits like any other, which are merged and pushed.
 * - A transcript is written only where it is awaited. If the owner asked to replace their own text, that text is kept
 *   as a former text.
 * - A deleted entry keeps its recording for as long as the deletion may be undone.
 * - An upload never overwrites another recording: two devices may record in the same millisecond.
 */
export function createVoiceNotePolicy(deps: FilesContext): JobPolicy {
  const { outbox, store, transcriber, files, clock } = deps;

  /** @returns false if the entry is gone. */
  const edit = async (job: OutboxJob, toChange: (entry: LocalDocument) => Change | null) => {
    const target = { collection: 'entries', ids: [job.entryId ?? ''] } as const;
    let isThere = false;
    const changed = await changeDocuments(store, { targets: [target] }, (entry) => {
      isThere = entry !== null && !entry.deleted;
      return entry === null || entry.deleted ? null : toChange(entry);
    });
    if (changed > 0) deps.onWritten();
    return isThere;
  };

  const settle: JobPolicy['settle'] = async ({ job }) => {
    const nowMs = deps.correctedNow();
    return edit(job, (entry) => {
      const changes = newFileOf(job);
      if (!wouldChange(entry, changes)) return null;
      const before = fileOf(entry);
      const isLeft = before !== null && before !== job.objectName;
      const records = isLeft ? [removal(entry, before, clock.now() + deletedEntryFileKeptMs)] : [];
      return { document: withEdit(entry, changes, nowMs), records };
    });
  };

  const write = async (
    job: OutboxJob,
    answer: TranscribeAnswer | 'refused' | null,
  ): Promise<boolean> => {
    const nowMs = deps.correctedNow();
    return edit(job, (entry) => {
      if (!isWanted(job, entry)) return null;
      const changes = wordsFor(entry, answer);
      if (isPersons(entry) && changes['text'] === undefined) return null;
      // A requested replacement is written even if the text is the same: the screen that shows it as awaited waits for
      // the edit.
      if (!isReplaced(job, entry) && !wouldChange(entry, changes)) return null;
      return { document: withEdit(entry, changes, nowMs) };
    });
  };

  const transcribe = async ({ job, document, signal }: JobAtHand): Promise<boolean> => {
    if (!isWanted(job, document)) return true;
    try {
      return await write(job, await transcriber.transcribe(job.objectName, signal));
    } catch (error) {
      if (error instanceof RemoteError) {
        if (error.kind === 'permanent') await write(job, 'refused');
        if (error.code === noEngineCode) await write(job, null);
      }
      throw error;
    }
  };

  /**
   * Checks the name on the server. The first attempt skips that, since the server refuses the upload if the name is
   * taken.
   */
  const prepare: JobPolicy['prepare'] = async ({ job, signal }, md5) => {
    if (isUntouched(job)) return null;
    const found = await files.stat(job.objectName, signal);
    if (found === null || found.md5 === md5) return found?.md5 ?? null;
    await outbox.voiceNotes.rename(job);
    throw new RemoteError('transient', 'name-taken');
  };

  /**
   * Ends the job if the server still has the file: it may have removed the file if the entry referred to it only long
   * after the upload. An entry whose edit was discarded is told of the file again.
   */
  const complete = async ({ job, document, signal }: JobAtHand): Promise<void> => {
    // A job that only requested a transcript has uploaded nothing.
    const isUpload = job.byteLength > 0;
    if (isUpload && fileOf(document) === null) {
      // A copy of a newer schema is not edited until this client can read it.
      if (document.code !== newerSchemaCode) {
        await outbox.queue.move(job, { ...untried, stage: 'uploaded' });
        deps.onWritten();
      }
      return;
    }
    if (isUpload && fileOf(document) === job.objectName) {
      // The edit that refers to the file has to reach the server first.
      if (document.pending !== 0) return;
      const stored = await files.stat(job.objectName, signal);
      if (stored === null && (await outbox.queue.readBytes(job)) !== null) {
        await outbox.queue.move(job, { ...untried, stage: 'uploading' });
        return;
      }
    }
    await outbox.queue.end(job);
  };

  return {
    prepare,
    settle,
    transcribe,
    unheard: (job) => write(job, null),
    complete,
    leave: async ({ entryId, objectName }) => {
      const notBeforeMs = clock.now() + deletedEntryFileKeptMs;
      const holder = { collection: 'entries', id: entryId ?? '' } as const;
      await writeRecord(store, ...removal(holder, objectName, notBeforeMs));
    },
  };
}
