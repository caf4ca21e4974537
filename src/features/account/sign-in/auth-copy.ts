import {
  notAnEmail,
  noUserSignedIn,
  passwordRequired,
  somethingWentWrong,
} from '../../../../schemas/copy/form-copy.ts';
import { AuthError, isUnanswered } from '../../../platform/auth/auth.ts';
import { connection } from '../../../platform/connection.ts';

export type AuthPurpose = 'sign-in' | 'register' | 'reset' | 'set-password' | 'delete';

const kept = 'What you typed stays here until there is one.';

const needsConnection: Readonly<Record<AuthPurpose, string>> = {
  'sign-in': `Signing in needs a connection. ${kept}`,
  register: `Creating an account needs a connection. ${kept}`,
  reset: `Sending the email needs a connection. ${kept}`,
  'set-password': `Setting a new password needs a connection. ${kept}`,
  delete: 'Deleting your account needs a connection. There was no answer, so try again later.',
};

const linkIsOver = 'This link has been used or is too old. Ask for a new one.';

const notTogether = 'This email and password do not belong together.';

const tooMany = 'Too many attempts. Wait a few minutes, then try again.';
const hasEnded = 'Your sign-in has ended. Sign in again.';
const notStored =
  'Your journal could not be opened on this device. Let the browser store data for this page, free some space, then try again.';

const sentences: Readonly<Record<string, string>> = {
  'auth/invalid-credential': notTogether,
  // Only a project without email enumeration protection distinguishes these; the owner gets the same sentence.
  'auth/wrong-password': notTogether,
  'auth/user-not-found': notTogether,
  'auth/email-already-in-use': 'There is an account with this email already. Sign in instead.',
  'auth/too-many-requests': tooMany,
  'auth/quota-exceeded': tooMany,
  'auth/weak-password': 'This password is too easy to guess. Choose a longer one.',
  'auth/password-does-not-meet-requirements':
    'This password is too easy to guess. Choose a longer one.',
  'auth/invalid-email': notAnEmail,
  'auth/missing-email': notAnEmail,
  'auth/invalid-recipient-email': notAnEmail,
  'auth/missing-password': passwordRequired,
  'auth/user-disabled': 'This account has been switched off.',
  'auth/invalid-action-code': linkIsOver,
  'auth/expired-action-code': linkIsOver,
  'auth/popup-blocked':
    'The browser blocked the window of Google. Allow pop-up windows for this page, then try again.',
  'auth/account-exists-with-different-credential':
    'There is an account with this email already. Sign in with its password.',
  'auth/admin-restricted-operation': 'This server takes no new accounts. Ask whoever runs it.',
  'auth/operation-not-allowed': 'This way to sign in is not offered here.',
  'auth/no-current-user': noUserSignedIn,
  'pawpals/reload': 'A part of PawPals did not come. Reload the page, then try again.',
  'pawpals/not-stored': notStored,
  'pawpals/open-elsewhere':
    'PawPals is still open in another tab of this browser. Close it, then try again.',
  'pawpals/other-unsent':
    'This device has unsent work of another account. Sign out of that in Settings first.',
  'auth/web-storage-unsupported': notStored,
  'auth/unsupported-persistence-type': notStored,
  'auth/operation-not-supported-in-this-environment':
    'This browser cannot open the window of Google here. Use an email and a password.',
  'auth/user-token-expired': hasEnded,
  'auth/invalid-user-token': hasEnded,
  'auth/user-signed-out': hasEnded,
  'auth/user-mismatch': hasEnded,
  'auth/null-user': hasEnded,
  'auth/requires-recent-login': 'To delete your account, sign in again first.',
};

const notSetUp = 'PawPals is not set up for this here. Whoever runs it has to mend that.';

/** The beginnings of codes whose cause only the project's console can fix. Some codes end with an address. */
const setUpCodes = [
  'api-key-',
  'app-not-authorized',
  'auth-domain-config-required',
  'configuration-not-found',
  'firebase-app-check-',
  'invalid-api-key',
  'invalid-app-id',
  'invalid-continue-uri',
  'invalid-message-payload',
  'invalid-oauth-',
  'invalid-provider-id',
  'invalid-recaptcha-',
  'invalid-sender',
  'missing-continue-uri',
  'missing-or-invalid-nonce',
  'missing-recaptcha-',
  'no-such-provider',
  'project-not-found',
  'recaptcha-not-enabled',
  'requests-',
  'unauthorized-',
];

function sentenceOf(code: string): string | undefined {
  const isSetUp = setUpCodes.some((start) => code.startsWith(`auth/${start}`));
  return isSetUp ? notSetUp : sentences[code];
}

/** The codes of a request that the owner cancelled, which is no failure. */
const calledOff = new Set([
  'auth/popup-closed-by-user',
  'auth/cancelled-popup-request',
  'auth/user-cancelled',
]);

export function isCalledOff(error: unknown): boolean {
  return error instanceof AuthError && calledOff.has(error.code);
}

/** Whether no answer came, so that the same request may succeed with the next connection. */
export function isUnreachable(error: unknown): boolean {
  const code = error instanceof AuthError ? error.code : null;
  if (code !== null && sentenceOf(code) !== undefined) return false;
  return isUnanswered(error) || !connection.isOnline();
}

/** Returns the sentence for the owner about a failed account request. */
export function authErrorCopy(error: unknown, purpose: AuthPurpose): string {
  if (isUnreachable(error)) return needsConnection[purpose];
  const known = error instanceof AuthError ? sentenceOf(error.code) : undefined;
  if (known !== undefined) return known;
  return purpose === 'sign-in' || purpose === 'register'
    ? `${somethingWentWrong} Please try again.`
    : somethingWentWrong;
}
