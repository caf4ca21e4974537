import type { TranscriptionResult } from './speech-engine.ts';

/** What an engine's answer other than 200 means for the audio that was sent. */
export function resultFromStatus(response: Response): TranscriptionResult {
  const reason = `http-${response.status}`;
  switch (response.status) {
    case 413:
      return { kind: 'too-large', reason };
    // It understood and refused; asking again costs money and brings the same.
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

/** No answer at all, unless it was the signal that ended the request: then the signal's reason is thrown. */
export function resultFromFailure(signal: AbortSignal): TranscriptionResult {
  signal.throwIfAborted();
  return { kind: 'unavailable', reason: 'no-answer' };
}
