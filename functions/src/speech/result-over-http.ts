import type { TranscriptionResult } from './speech-engine.ts';

/** Returns the result for an engine's answer other than 200. */
export function resultFromStatus(response: Response): TranscriptionResult {
  const reason = `http-${response.status}`;
  switch (response.status) {
    case 413:
      return { kind: 'too-large', reason };
    // The engine understood and refused; a retry costs money and has the same result.
    case 400:
    case 415:
    case 422:
      return { kind: 'refused', reason };
    default: {
      const retryAfterS = Number(response.headers.get('retry-after') ?? '');
      return {
        kind: 'unavailable',
        reason,
        ...(retryAfterS > 0 ? { retryAfterS } : {}),
      };
    }
  }
}

/** Returns the result for a request without an answer. @throws the signal's reason if it was aborted. */
export function resultFromFailure(signal: AbortSignal): TranscriptionResult {
  signal.throwIfAborted();
  return { kind: 'unavailable', reason: 'no-answer' };
}
