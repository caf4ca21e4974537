import { isAboutTranscript, type OutboxJob } from '../../../../schemas/local/outbox-job.ts';
import { parkedFileReason } from '../../../data/files/file-copy.ts';

export interface Waiting {
  /** The pending job; null if this device has none. */
  readonly job: OutboxJob | null;
  readonly hasFile: boolean;
  readonly isOnline: boolean;
}

const needsConnection = 'The recording waits for a connection.';

/**
 * Returns the reason why a voice note is not on the server, or has no transcript yet; null if there is nothing to say.
 */
export function waitingCopy({ job, hasFile, isOnline }: Waiting): string | null {
  if (job === null) {
    return hasFile
      ? null
      : 'The recording is not here, and not on the server yet. The device that made it may have it, or an export from there.';
  }
  const { stage, code, attempts } = job;
  if (stage === 'failed') return parkedFileReason(code);
  if (stage === 'recorded' || stage === 'queued') {
    return isOnline && attempts === 0 ? 'It is about to be uploaded.' : needsConnection;
  }
  if (!isOnline) {
    return stage === 'uploading' ? needsConnection : 'The text waits for a connection.';
  }
  if (stage === 'uploading' && attempts === 0) return 'Uploading…';
  if (attempts === 0) return null;
  const what = isAboutTranscript(code)
    ? 'Its text could not be made yet.'
    : 'The server does not answer.';
  return `${what} This is tried again by itself.`;
}
