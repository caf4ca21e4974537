import { AuthErrorCodes } from 'firebase/auth';
import { describe, expect, it } from 'vitest';
import { AuthError } from '../../../platform/auth/auth.ts';
import { authErrorCopy, isCalledOff, type AuthPurpose } from './auth-copy.ts';

/** The reasons why a code of the SDK never answers a request of the app, by the request that it belongs to. */
const ofOtherRequests: Readonly<Record<string, readonly string[]>> = {
  'telephone numbers': [
    'captcha-check-failed',
    'code-expired',
    'invalid-app-credential',
    'invalid-phone-number',
    'invalid-verification-code',
    'invalid-verification-id',
    'missing-app-credential',
    'missing-phone-number',
    'missing-verification-code',
    'missing-verification-id',
  ],
  'a second factor, which nobody can set up here': [
    'invalid-multi-factor-session',
    'maximum-second-factor-count-exceeded',
    'missing-multi-factor-info',
    'missing-multi-factor-session',
    'multi-factor-auth-required',
    'multi-factor-info-not-found',
    'second-factor-already-in-use',
    'unsupported-first-factor',
    'unverified-email',
  ],
  'tokens and accounts of other systems': [
    'custom-token-mismatch',
    'invalid-custom-token',
    'invalid-tenant-id',
    'rejected-credential',
    'tenant-id-mismatch',
    'unsupported-tenant-operation',
  ],
  'linking, and another address': [
    'credential-already-in-use',
    'email-change-needs-verification',
    'provider-already-linked',
  ],
  'redirects, Cordova and links into other apps': [
    'app-not-installed',
    'cordova-not-ready',
    'dynamic-link-not-activated',
    'invalid-cert-hash',
    'invalid-cordova-configuration',
    'invalid-dynamic-link-domain',
    'invalid-hosting-link-domain',
    'missing-android-pkg-name',
    'missing-iframe-start',
    'missing-ios-bundle-id',
    'redirect-cancelled-by-user',
    'redirect-operation-pending',
  ],
};

/** Codes of a defect or of an unknown answer, which get the general sentence. */
const general = new Set([
  'already-initialized',
  'app-deleted',
  'argument-error',
  'cors-unsupported',
  'dependent-sdk-initialized-before-auth',
  'emulator-config-failed',
  'internal-error',
  'invalid-auth-event',
  'invalid-emulator-scheme',
  'invalid-persistence-type',
  'invalid-req-type',
  'missing-client-type',
  'no-auth-event',
]);

/** Answers of the server that the SDK passes on without a code of its own. */
const passedOn = [
  'auth/api-key-not-valid.-please-pass-a-valid-api-key.',
  'auth/configuration-not-found',
  'auth/firebase-app-check-token-is-invalid.',
  'auth/missing-email',
  'auth/password-does-not-meet-requirements',
  'auth/project-not-found',
  'auth/requests-from-referer-https://dogs.example-are-blocked.',
  'auth/requests-to-this-api-identitytoolkit-method-are-blocked.',
];

const purposes: readonly AuthPurpose[] = ['sign-in', 'register', 'reset', 'set-password', 'delete'];
const never = new Set(Object.values(ofOtherRequests).flat());
const ofSdk = [...new Set(Object.values(AuthErrorCodes))].map((code) => code.slice('auth/'.length));
const told = ofSdk
  .filter((code) => !never.has(code) && !general.has(code))
  .filter((code) => !isCalledOff(new AuthError(`auth/${code}`)));

describe('authErrorCopy', () => {
  it.each([...told.map((code) => `auth/${code}`), ...passedOn])(
    'has one of its own for %s',
    (code) => {
      const error = new AuthError(code);
      for (const purpose of purposes) {
        expect([purpose, authErrorCopy(error, purpose)]).toEqual([
          purpose,
          expect.not.stringContaining('Something went wrong'),
        ]);
      }
    },
  );

  it('returns the general sentence for a code without a reason for the owner', () => {
    for (const code of general) {
      expect(authErrorCopy(new AuthError(`auth/${code}`), 'sign-in')).toBe(
        'Something went wrong. Please try again.',
      );
    }
  });

  it('does not speak of an answer that no request of ours gets, and knows each code of the SDK', () => {
    expect([...never, ...general].filter((code) => !ofSdk.includes(code))).toEqual([]);
    expect(told.length).toBeGreaterThan(40);
  });

  it('treats a timed out request as one without a connection', () => {
    expect(authErrorCopy(new AuthError('auth/timeout'), 'delete')).toContain('needs a connection');
  });
});
