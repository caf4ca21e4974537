import { FirebaseError } from 'firebase/app';
import { RemoteError } from '../ports.ts';

/**
 * Codes after which the same request will be refused again. `failed-precondition` is told apart by the caller: over
 * REST the SDK gives the same code to a lost race and to an argument the server does not accept.
 */
const permanentCodes: ReadonlySet<string> = new Set([
  'permission-denied',
  'invalid-argument',
  'failed-precondition',
  'not-found',
  'out-of-range',
  'unimplemented',
  'data-loss',
]);

/** What any failure of the SDK means; a failure that is not the SDK's own comes from an answer that was not Firestore's. */
export function toRemoteError(error: unknown): RemoteError {
  if (error instanceof RemoteError) return error;
  if (!(error instanceof FirebaseError)) {
    return new RemoteError('transient', 'not-firestore', { cause: error });
  }
  const code = error.code.replace(/^(firestore|auth)\//, '');
  const kind = permanentCodes.has(code) ? 'permanent' : 'transient';
  return new RemoteError(kind, code, { cause: error });
}
