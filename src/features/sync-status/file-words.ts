import type { OutboxJob } from '../../../schemas/outbox-job.ts';
import type { NamedPet } from '../../data/queries.ts';

/** @param pets the dogs there are. */
export function fileText({ kind, petId }: OutboxJob, pets: readonly NamedPet[]): string {
  const what = kind === 'voice-note' ? 'A voice note' : 'A picture';
  const pet = pets.find(({ id }) => id === petId);
  return pet === undefined ? what : `${what} of ${pet.name}`;
}

const reasons: Readonly<Record<string, string>> = {
  'http-400': 'The server does not take this file.',
  'http-403': 'The server says that it is not yours to change.',
  'http-413': 'It is too large for the server.',
  'http-415': 'The server does not take this type of file.',
  'bytes-missing': 'Its content is not on this device any more.',
};

/** Why the server does not have a parked file. */
export function parkedFileReason(code: string | null): string {
  const reason = reasons[code ?? ''] ?? `The server refused it (${code ?? 'unknown'}).`;
  return `Upload failed. ${reason}`;
}

/** How far a file is that waits. */
export function waitingFileNote(
  { stage, attempts, nextAttemptAtMs }: OutboxJob,
  nowMs: number,
): string {
  if (stage === 'uploading' && attempts === 0) return 'Uploading…';
  if (stage === 'uploaded' || stage === 'done') return 'Uploaded';
  return nextAttemptAtMs > nowMs
    ? 'The upload did not work yet. It is tried again by itself.'
    : 'Waiting for its turn';
}
