import { somethingWentWrong } from '../../../schemas/messages.ts';
import { AuthError } from '../../platform/auth.ts';

const needsConnection =
  'Signing in for the first time needs a connection. What you typed stays here until there is one.';

const sentences: Readonly<Record<string, string>> = {
  'auth/invalid-credential': 'This email and password do not belong together.',
  'auth/email-already-in-use': 'There is an account with this email already. Sign in instead.',
  'auth/network-request-failed': needsConnection,
  'auth/too-many-requests': 'Too many attempts. Wait a few minutes, then try again.',
  'auth/weak-password': 'This password is too easy to guess. Choose a longer one.',
  'auth/invalid-email': 'This does not look like an email address.',
  'auth/user-disabled': 'This account has been switched off.',
};

/** What a failed account request says to the owner. */
export function authSentence(error: unknown): string {
  const known = error instanceof AuthError ? sentences[error.code] : undefined;
  if (known !== undefined) return known;
  return navigator.onLine ? `${somethingWentWrong} Please try again.` : needsConnection;
}
