/** The codes of the Identity Toolkit that this server answers; the SDK turns them into `auth/...`. */
export type AuthErrorCode =
  | 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN'
  | 'EMAIL_EXISTS'
  | 'INVALID_EMAIL'
  | 'INVALID_GRANT_TYPE'
  | 'INVALID_ID_TOKEN'
  | 'INVALID_LOGIN_CREDENTIALS'
  | 'INVALID_REFRESH_TOKEN'
  | 'MISSING_EMAIL'
  | 'MISSING_ID_TOKEN'
  | 'MISSING_PASSWORD'
  | 'MISSING_REFRESH_TOKEN'
  | 'OPERATION_NOT_ALLOWED'
  | 'TOKEN_EXPIRED'
  | 'TOO_MANY_ATTEMPTS_TRY_LATER'
  | 'USER_NOT_FOUND'
  | 'WEAK_PASSWORD';

export class AuthError extends Error {
  readonly code: AuthErrorCode;

  /** The detail follows the code after a colon, which is where the SDK expects it. */
  constructor(code: AuthErrorCode, detail?: string) {
    super(detail === undefined ? code : `${code} : ${detail}`);
    this.name = 'AuthError';
    this.code = code;
  }
}
