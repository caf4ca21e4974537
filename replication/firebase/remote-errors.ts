import { FirebaseError } from 'firebase/app';
import { RemoteError } from '../ports.ts';

/**
 * Codes after which the same request is refused again. The caller tells `failed-precondition` apart: over REST the SDK
 * gives the same code for a lost race and for an argument that the server does not accept.
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

/**
 * Converts any failure of the SDK. An error that is not the SDK's own comes from an answer that was not Firestore's.
 */
export function toRemoteError(error: unknown): RemoteError {
  if (error instanceof RemoteError) return error;
  if (!(error instanceof FirebaseError)) {
    return new RemoteError('transient', 'not-firestore', { cause: error });
  }
  const code = error.code.replace(/^(firestore|auth)\//, '');
  const kind = permanentCodes.has(code) ? 'permanent' : 'transient';
  return new RemoteError(kind, code, { cause: error });
}
