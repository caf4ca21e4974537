import { FirebaseError } from 'firebase/app';
import { describe, expect, it } from 'vitest';
import { RemoteError } from '../ports.ts';
import { toRemoteError } from './remote-errors.ts';

describe('toRemoteError', () => {
  it.each([
    ['permission-denied', 'permanent'],
    ['invalid-argument', 'permanent'],
    ['not-found', 'permanent'],
    ['unavailable', 'transient'],
    ['unauthenticated', 'transient'],
    ['deadline-exceeded', 'transient'],
    ['resource-exhausted', 'transient'],
    ['aborted', 'transient'],
    ['internal', 'transient'],
    ['unknown', 'transient'],
  ])('takes %s as %s', (code, kind) => {
    expect(toRemoteError(new FirebaseError(code, 'no'))).toMatchObject({ kind, code });
  });

  it('takes what the SDK did not make for an answer that is not Firestore’s', () => {
    const error = toRemoteError(new SyntaxError('Unexpected token <'));
    expect(error).toMatchObject({ kind: 'transient', code: 'not-firestore' });
  });

  it('leaves its own errors as they are', () => {
    const error = new RemoteError('transient', 'timeout');
    expect(toRemoteError(error)).toBe(error);
  });
});
