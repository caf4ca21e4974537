import { AuthError } from '../auth-error.ts';

/** The requirements of a new password. Sign-in does not check them, since they may be newer than an account. */
export interface PasswordPolicy {
  readonly minLength: number;
  readonly needsLowercase: boolean;
  readonly needsUppercase: boolean;
  readonly needsDigit: boolean;
  readonly needsSpecial: boolean;
}

export const defaultPasswordPolicy: PasswordPolicy = {
  minLength: 6,
  needsLowercase: true,
  needsUppercase: true,
  needsDigit: true,
  needsSpecial: true,
};

const maxLength = 4096;
/** The special characters that hosted projects document, and additionally `-`, `+`, `=`. */
const special = '^$*.[]{}()?"!@#%&/\\,><\':;|_~`-+=';

/** @throws {AuthError} with the message of the hosted service, which the SDK recognizes. */
export function checkPassword(password: string, policy: PasswordPolicy): void {
  if (password === '') throw new AuthError('MISSING_PASSWORD');
  const missing = missingFrom(password, policy);
  if (missing.length === 0) return;
  const list = missing.map((each) => `Password ${each}`).join(', ');
  throw new AuthError(
    'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
    `Missing password requirements: [${list}]`,
  );
}

function missingFrom(password: string, policy: PasswordPolicy): readonly string[] {
  const { minLength, needsLowercase, needsUppercase, needsDigit, needsSpecial } = policy;
  const rules: readonly (readonly [isBroken: boolean, sentence: string])[] = [
    [password.length < minLength, `must contain at least ${minLength} characters`],
    [password.length > maxLength, `may contain at most ${maxLength} characters`],
    [needsLowercase && !/[a-z]/.test(password), 'must contain a lower case character'],
    [needsUppercase && !/[A-Z]/.test(password), 'must contain an upper case character'],
    [needsDigit && !/[0-9]/.test(password), 'must contain a numeric character'],
    [needsSpecial && !hasSpecial(password), 'must contain a non-alphanumeric character'],
  ];
  return rules.filter(([isBroken]) => isBroken).map(([, sentence]) => sentence);
}

const hasSpecial = (password: string): boolean =>
  password.split('').some((each) => special.includes(each));

/** Encodes the policy as the SDK requests it. */
export const encodePasswordPolicy = (policy: PasswordPolicy) => ({
  customStrengthOptions: {
    minPasswordLength: policy.minLength,
    maxPasswordLength: maxLength,
    ...(policy.needsLowercase ? { containsLowercaseCharacter: true } : {}),
    ...(policy.needsUppercase ? { containsUppercaseCharacter: true } : {}),
    ...(policy.needsDigit ? { containsNumericCharacter: true } : {}),
    ...(policy.needsSpecial ? { containsNonAlphanumericCharacter: true } : {}),
  },
  allowedNonAlphanumericCharacters: special.split(''),
  enforcementState: 'ENFORCE',
  forceUpgradeOnSignin: false,
  schemaVersion: 1,
});
