import { uploadFailed } from '../../schemas/file-messages.ts';
import type { OutboxJob } from '../../schemas/outbox-job.ts';

const reasons: Readonly<Record<string, string>> = {
  'http-400': 'The server does not take this file.',
  'http-403': 'The server says that it is not yours to change.',
  'http-413': 'It is too large for the server.',
  'http-415': 'The server does not take this type of file.',
};

/** Why the server does not have a parked file. */
export function parkedFileReason(code: string | null): string {
  const reason = reasons[code ?? ''] ?? `The server refused it (${code ?? 'unknown'}).`;
  return `${uploadFailed} ${reason} It is kept here.`;
}

/** How far a file is that waits. */
export function waitingFileNote({ stage, attempts }: OutboxJob): string {
  if (attempts > 0) return 'The upload did not work yet. It is tried again by itself.';
  if (stage === 'queued') return 'On this device. It is uploaded with the next connection.';
  return stage === 'uploading' ? 'Uploading…' : 'Uploaded';
}
