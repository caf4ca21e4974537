import { linkAbort } from '../connectivity/linked-abort.ts';
import { untilAborted } from '../connectivity/until-aborted.ts';
import { RemoteError, type Clock } from '../ports.ts';

export interface RequestLimit {
  readonly clock: Pick<Clock, 'after'>;
  readonly timeoutMs: number;
  /** The signal of the caller. Once it is aborted, its own reason is thrown. */
  readonly signal: AbortSignal;
}

function toRemoteError(error: unknown): RemoteError {
  if (error instanceof RemoteError) return error;
  return new RemoteError('transient', 'unavailable', { cause: error });
}

/**
 * Aborts a request that exceeds the time limit, also while its body is read, since a body can stall as well, and ends also if
 * the abort does not reach what it waits for, such as a new token.
 * @throws {RemoteError} and, once aborted, the signal's reason.
 */
export async function withinLimit<Result>(
  { clock, timeoutMs, signal }: RequestLimit,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController();
  const either = linkAbort(signal, limit.signal);
  const cancel = clock.after(timeoutMs, () => limit.abort());
  try {
    return await untilAborted(either.signal, work(either.signal));
  } catch (error) {
    signal.throwIfAborted();
    if (limit.signal.aborted) throw new RemoteError('transient', 'timeout', { cause: error });
    throw toRemoteError(error);
  } finally {
    cancel();
    either.unlink();
  }
}

/** @returns the owner's ID token, renewed if requested; null if this owner is not signed in. */
export type IdTokenSource = (isRenewed: boolean) => Promise<string | null>;

/** Sends a request with the owner's token, and once more with a renewed one if the server refuses that token. */
export async function sendSigned(
  idToken: IdTokenSource,
  send: (token: string) => Promise<Response>,
): Promise<Response> {
  const attempt = async (isRenewed: boolean): Promise<Response> => {
    const token = await idToken(isRenewed);
    if (token === null) throw new RemoteError('transient', 'unauthenticated');
    return send(token);
  };
  const answer = await attempt(false);
  return answer.status === 401 ? attempt(true) : answer;
}

/** @returns null if the answer is no JSON, like that of a Wi-Fi sign-in page. */
export async function readJson(answer: Response): Promise<unknown> {
  const text = await answer.text();
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
