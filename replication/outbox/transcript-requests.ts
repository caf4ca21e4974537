import { noEngineCode, serverWideCodes } from '../../schemas/transcription.ts';
import { createBackoff, isOver } from '../connectivity/backoff.ts';
import { RemoteError, type Transcriber } from '../ports.ts';
import type { FilesContext } from './files-context.ts';

/** A transcriber that pauses after an answer that concerns the server and not the recording. */
export interface TranscriptRequests extends Transcriber {
  /** Epoch milliseconds before which nothing is requested; 0 without a pause. */
  pausedUntilMs(): number;
  /** Ends a pause: the connection is back, or the owner asks. The next one is longer nevertheless. */
  resume(): void;
  /** Whether the last answer was that the server has no engine. */
  hasNoEngine(): boolean;
}

export function createTranscriptRequests(
  deps: Pick<FilesContext, 'transcriber' | 'clock' | 'random'>,
): TranscriptRequests {
  const { transcriber, clock } = deps;
  const backoff = createBackoff(deps.random);
  let untilMs = 0;
  let lastCode: string | null = null;

  const pause = (code: string): void => {
    lastCode = code;
    untilMs = clock.now() + backoff.nextDelayMs();
  };

  return {
    transcribe: async (fileLocation, signal) => {
      try {
        const answer = await transcriber.transcribe(fileLocation, signal);
        backoff.reset();
        untilMs = 0;
        lastCode = null;
        return answer;
      } catch (error) {
        if (error instanceof RemoteError && serverWideCodes.has(error.code)) pause(error.code);
        throw error;
      }
    },
    pausedUntilMs: () => (isOver(untilMs, clock.now()) ? 0 : untilMs),
    resume: () => {
      untilMs = 0;
    },
    hasNoEngine: () => lastCode === noEngineCode,
  };
}
