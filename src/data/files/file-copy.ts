import { uploadFailed } from '../../../schemas/copy/form-copy.ts';
import { isAboutTranscript, type OutboxJob } from '../../../schemas/local/outbox-job.ts';

const reasons: Readonly<Record<string, string>> = {
  'http-400': 'The server does not take this file.',
  'http-402': 'The server has no room left for your files. Delete some, then try again.',
  'http-403': 'The server says that it is not yours to change.',
  'http-413': 'It is too large for the server.',
  'http-415': 'The server does not take this type of file.',
};

const wordsReasons: Readonly<Record<string, string>> = {
  'words-permission-denied': 'The server says that the recording is not yours.',
  'words-too-large': 'The recording is too long for the server.',
  'words-not-audio': 'The server cannot read this type of recording.',
  'words-not-found': 'The server does not have the recording any more.',
};

/** Returns the reason why the server does not have a parked file. */
export function parkedFileReason(code: string | null): string {
  if (isAboutTranscript(code)) {
    const known = wordsReasons[code ?? ''] ?? `The server refused it (${code ?? ''}).`;
    return `No text could be made of it. ${known} The recording is safe.`;
  }
  if (code === 'bytes-missing')
    return 'This device has lost the file. Discard it, and add it again.';
  const reason = reasons[code ?? ''] ?? `The server refused it (${code ?? 'unknown'}).`;
  return `${uploadFailed} ${reason} It is kept here.`;
}

/** Returns a sentence about the progress of an unsent file. */
export function waitingFileNote({ stage, attempts }: OutboxJob, isOnline: boolean): string {
  if (attempts > 0) return 'The upload did not work yet. It is tried again by itself.';
  if (stage === 'uploading' && isOnline) return 'Uploading…';
  const isSent = stage !== 'queued' && stage !== 'uploading';
  return isSent ? 'Uploaded' : 'On this device. It is uploaded with the next connection.';
}
