import { AuthError } from '../auth-error.ts';

const minLength = 6;
export const maxPasswordLength = 4096;
/** The special characters that hosted projects document, and additionally `-`, `+`, `=`. */
const special = '^$*.[]{}()?"!@#%&/\\,><\':;|_~`-+=';

/**
 * Checks a new password. Sign-in does not, since the policy may be newer than an account.
 *
 * @throws {AuthError} with the message of the hosted service, which the SDK recognizes.
 */
export function checkPassword(password: string): void {
  if (password === '') throw new AuthError('MISSING_PASSWORD');
  const missing = requirements.filter(([isMet]) => !isMet(password));
  if (missing.length === 0) return;
  const list = missing.map(([, requirement]) => `Password ${requirement}`).join(', ');
  throw new AuthError(
    'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
    `Missing password requirements: [${list}]`,
  );
}

const requirements: readonly (readonly [isMet: (password: string) => boolean, sentence: string])[] =
  [
    [({ length }) => length >= minLength, `must contain at least ${minLength} characters`],
    [
      ({ length }) => length <= maxPasswordLength,
      `may contain at most ${maxPasswordLength} characters`,
    ],
    [(password) => /[a-z]/.test(password), 'must contain a lower case character'],
    [(password) => /[A-Z]/.test(password), 'must contain an upper case character'],
    [(password) => /[0-9]/.test(password), 'must contain a numeric character'],
    [
      (password) => password.split('').some((each) => special.includes(each)),
      'must contain a non-alphanumeric character',
    ],
  ];

/** The policy as the SDK requests it. */
export const encodedPasswordPolicy = {
  customStrengthOptions: {
    minPasswordLength: minLength,
    maxPasswordLength,
    containsLowercaseCharacter: true,
    containsUppercaseCharacter: true,
    containsNumericCharacter: true,
    containsNonAlphanumericCharacter: true,
  },
  allowedNonAlphanumericCharacters: special.split(''),
  enforcementState: 'ENFORCE',
  forceUpgradeOnSignin: false,
  schemaVersion: 1,
};
