import { RemoteError } from '../ports.ts';
import type { FilesContext } from './files-context.ts';

/**
 * - `pass-over`: nobody is signed in, or the connection is gone; no job can continue, and none has failed.
 * - `refused`: the server refuses the file for good, although it accepts this account. `later`: anything else; it is
 *   retried.
 */
export interface Failure {
  readonly kind: 'pass-over' | 'refused' | 'later';
  /** The code of a `RemoteError`; `defect` for any other error. */
  readonly code: string;
}

function codeOf(error: unknown): string {
  return error instanceof RemoteError ? error.code : 'defect';
}

/** Classifies the failure of a request for a file. */
export async function failureOf(
  error: unknown,
  { online, confirmAccount }: FilesContext,
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

/**
 * Takes the steps one by one. One that fails, as on a full device, is left to a later pass, and holds up no other.
 * @param onFailed receives the code of each failure, or the name of an error without one.
 * @returns whether all have succeeded.
 */
export async function eachAlone<Item>(
  items: Iterable<Item>,
  step: (item: Item) => Promise<void>,
  onFailed: (code: string, item: Item) => void,
): Promise<boolean> {
  let isDone = true;
  for (const item of items) {
    try {
      await step(item);
    } catch (error) {
      const code = codeOf(error);
      onFailed(code === 'defect' && error instanceof Error ? error.name : code, item);
      isDone = false;
    }
  }
  return isDone;
}
