import {
  isAboutTranscript,
  isUntouched,
  type OutboxJob,
} from '../../../schemas/local/outbox-job.ts';
import { deletedEntryFileKeptMs, removal } from '../../../schemas/local/remove-file.ts';
import type { OutboxQueue } from '../../../store/files/outbox-queue.ts';
import type { FileContent } from './voice-files.ts';

/** Reads the file of a job; null if there is no such job, or this device has lost its bytes. */
export async function readJob(queue: OutboxQueue, jobId: string): Promise<FileContent | null> {
  return readFileOf(queue, await queue.get(jobId));
}

/** Like {@link readJob}, of a job that was read. */
export async function readFileOf(
  queue: OutboxQueue,
  job: OutboxJob | null,
): Promise<FileContent | null> {
  const bytes = job === null ? null : await queue.readBytes(job);
  return job === null || bytes === null ? null : { bytes, contentType: job.contentType };
}

/**
 * Discards a job with its file, however often sync moves the job meanwhile. A recording whose transcript was refused is
 * on the server, and stays in the cache.
 * @returns whether sync has something to do: the server may have a recording that no entry names.
 */
export async function discardJob(
  queue: OutboxQueue,
  jobId: string,
  nowMs: number,
): Promise<boolean> {
  for (let job = await queue.get(jobId); job !== null; job = await queue.get(jobId)) {
    const { entryId, objectName, code } = job;
    const holder = { collection: 'entries', id: entryId ?? '' } as const;
    // An upload that was just cancelled may still arrive.
    const removed = removal(holder, objectName, nowMs + deletedEntryFileKeptMs);
    const records = entryId === null || isUntouched(job) ? [] : [removed];
    const isEnded = isAboutTranscript(code)
      ? await queue.end(job)
      : await queue.discard(job, { records });
    if (isEnded) return records.length > 0;
  }
  return false;
}
