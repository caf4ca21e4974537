import { RemoteError, type OnlineSignal } from '../ports.ts';

/**
 * - `pass-over`: nobody is signed in, or the connection is gone: nothing can go on, and nothing has failed.
 * - `refused`: for good, by a server that lets this account in. `later`: anything else.
 */
export interface Failure {
  readonly kind: 'pass-over' | 'refused' | 'later';
  /** Of a `RemoteError`; `defect` for anything else. */
  readonly code: string;
}

export interface FailureDeps {
  readonly online: Pick<OnlineSignal, 'isOnline'>;
  /** Fails if the server lets nobody in under this account: then a refusal says nothing of a file. */
  readonly confirmAccount: () => Promise<void>;
}

function codeOf(error: unknown): string {
  return error instanceof RemoteError ? error.code : 'defect';
}

/** What a request that failed says of its file. */
export async function failureOf(
  error: unknown,
  { online, confirmAccount }: FailureDeps,
): Promise<Failure> {
  const code = codeOf(error);
  if (code === 'unauthenticated' || !online.isOnline()) return { kind: 'pass-over', code };
  const isRefused = error instanceof RemoteError && error.kind === 'permanent';
  if (!isRefused) return { kind: 'later', code };
  try {
    await confirmAccount();
    return { kind: 'refused', code };
  } catch (accountError) {
    return { kind: 'later', code: codeOf(accountError) };
  }
}
