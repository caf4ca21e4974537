import { noEngineCode, serverWideCodes } from '../../schemas/transcription.ts';
import { createBackoff, isOver } from '../connectivity/backoff.ts';
import { RemoteError, type Transcriber } from '../ports.ts';
import type { FilesContext } from './files-context.ts';

export type TranscriptRequests = ReturnType<typeof createTranscriptRequests>;

/** A transcriber that pauses after an answer that concerns the server and not the recording. */
export function createTranscriptRequests(deps: FilesContext) {
  const { transcriber, clock } = deps;
  const backoff = createBackoff(deps.random);
  let untilMs = 0;
  let lastCode: string | null = null;

  return {
    transcribe: (async (fileLocation, signal) => {
      try {
        const answer = await transcriber.transcribe(fileLocation, signal);
        backoff.reset();
        untilMs = 0;
        lastCode = null;
        return answer;
      } catch (error) {
        if (error instanceof RemoteError && serverWideCodes.has(error.code)) {
          lastCode = error.code;
          untilMs = clock.now() + backoff.nextDelayMs();
        }
        throw error;
      }
    }) satisfies Transcriber['transcribe'],
    /** Epoch milliseconds before which nothing is requested; 0 without a pause. */
    pausedUntilMs: () => (isOver(untilMs, clock.now()) ? 0 : untilMs),
    /** Ends a pause: the connection is back, or the owner asks. The next one is longer nevertheless. */
    resume: (): void => {
      untilMs = 0;
    },
    /** Whether the last answer was that the server has no engine. */
    hasNoEngine: () => lastCode === noEngineCode,
  };
}
