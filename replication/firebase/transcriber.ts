import * as v from 'valibot';
import {
  transcribeAnswerSchema,
  transcribeErrorSchema,
  transcribePath,
  type TranscribeAnswer,
} from '../../schemas/transcription.ts';
import { RemoteError, type Clock, type Transcriber } from '../ports.ts';
import { readJson, sendSigned, withinLimit, type IdTokenSource } from './request-limit.ts';

export interface TranscriberOptions {
  /** The origin that serves the app and the function. */
  readonly origin: string;
  readonly idToken: IdTokenSource;
  /** Returns the token of App Check; null if none is available now. */
  readonly appToken?: () => Promise<string | null>;
  readonly clock: Pick<Clock, 'after'>;
  readonly fetch?: typeof fetch;
}

export const transcribeTimeoutMs = 120_000;

/** Statuses after which the same request is refused again. */
const permanentStatuses: ReadonlySet<number> = new Set([400, 403, 404, 405, 413, 415]);

async function readTranscript(answer: Response): Promise<TranscribeAnswer> {
  const json = await readJson(answer);
  if (answer.ok) {
    const parsed = v.safeParse(transcribeAnswerSchema, json);
    if (parsed.success) return parsed.output;
  }
  const refusal = v.safeParse(transcribeErrorSchema, json);
  if (answer.ok || !refusal.success) throw new RemoteError('transient', 'not-transcription');
  if (answer.status === 401) throw new RemoteError('transient', 'unauthenticated');
  const kind = permanentStatuses.has(answer.status) ? 'permanent' : 'transient';
  throw new RemoteError(kind, `words-${refusal.output.error.code}`);
}

/**
 * Calls the transcription function.
 *
 * - A refusal counts only if it is the function's own: a web page with any status comes from something else.
 * - A request is aborted at its time limit and counts as unanswered; the function itself times out earlier.
 * - A token that it refuses is renewed, once.
 */
export function createTranscriber(options: TranscriberOptions): Transcriber {
  const { origin, idToken, clock, fetch: send = fetch } = options;

  return {
    transcribe: (fileLocation, signal) =>
      withinLimit({ clock, timeoutMs: transcribeTimeoutMs, signal }, async (limited) => {
        const answer = await sendSigned(idToken, async (token) => {
          const appToken = (await options.appToken?.()) ?? null;
          return send(`${origin}${transcribePath}`, {
            method: 'POST',
            headers: {
              ...(appToken === null ? {} : { 'x-firebase-appcheck': appToken }),
              authorization: `Bearer ${token}`,
              'content-type': 'application/json',
            },
            body: JSON.stringify({ fileLocation }),
            signal: limited,
            cache: 'no-store',
          });
        });
        return readTranscript(answer);
      }),
  };
}
