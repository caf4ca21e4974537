import { transcribeRefusals, type TranscribeRefusal } from '../../../schemas/transcription.ts';

/** The HTTP response, always as JSON. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const messages: Readonly<Record<TranscribeRefusal, string>> = {
  'bad-request': 'The body must be JSON with the fileLocation of a voice note.',
  unauthenticated:
    'An ID token of a signed-in user is needed, and a token of App Check where it is enforced.',
  'permission-denied': 'This voice note belongs to somebody else.',
  'not-found': 'There is no such voice note.',
  'method-not-allowed': 'Ask with POST.',
  'too-large': 'This recording is too long to be transcribed.',
  'not-audio': 'This file is no audio that can be transcribed.',
  'too-many': 'Too many voice notes at once.',
  internal: 'Something went wrong.',
  'no-engine': 'Nothing here can transcribe.',
  'engine-unavailable': 'Transcription does not answer at the moment.',
  'timed-out': 'Transcription took too long.',
};

/** @param isRough true if the text is by an engine that is often wrong. */
export const textAnswer = (text: string, isRough = false): Answer => ({
  status: 200,
  headers: {},
  body: isRough ? { text, rough: true } : { text },
});

/** @param retryAfterS the delay after which a retry may succeed, if known. */
export function refusal(code: TranscribeRefusal, retryAfterS: number | null = null): Answer {
  return {
    status: transcribeRefusals[code],
    headers: {
      ...(retryAfterS === null ? {} : { 'Retry-After': String(Math.ceil(retryAfterS)) }),
      ...(code === 'unauthenticated' ? { 'WWW-Authenticate': 'Bearer' } : {}),
      ...(code === 'method-not-allowed' ? { Allow: 'POST' } : {}),
    },
    body: { error: { code, message: messages[code] } },
  };
}
