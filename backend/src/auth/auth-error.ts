/** The error codes of the Identity Toolkit that this server uses; the SDK maps them to `auth/...`. */
export type AuthErrorCode =
  | 'CREDENTIAL_TOO_OLD_LOGIN_AGAIN'
  | 'EMAIL_EXISTS'
  | 'EXPIRED_OOB_CODE'
  | 'FEDERATED_USER_ID_ALREADY_LINKED'
  | 'INVALID_CONTINUE_URI'
  | 'INVALID_DISPLAY_NAME'
  | 'INVALID_EMAIL'
  | 'INVALID_GRANT_TYPE'
  | 'INVALID_IDENTIFIER'
  | 'INVALID_IDP_RESPONSE'
  | 'INVALID_ID_TOKEN'
  | 'INVALID_LOGIN_CREDENTIALS'
  | 'INVALID_OOB_CODE'
  | 'INVALID_PHOTO_URL'
  | 'INVALID_PROVIDER_ID'
  | 'INVALID_REFRESH_TOKEN'
  | 'INVALID_REQ_TYPE'
  | 'MISSING_CONTINUE_URI'
  | 'MISSING_EMAIL'
  | 'MISSING_ID_TOKEN'
  | 'MISSING_OOB_CODE'
  | 'MISSING_PASSWORD'
  | 'MISSING_REFRESH_TOKEN'
  | 'MISSING_REQ_TYPE'
  | 'OPERATION_NOT_ALLOWED'
  | 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS'
  | 'TOKEN_EXPIRED'
  | 'UNAUTHORIZED_DOMAIN'
  | 'USER_DISABLED'
  | 'USER_NOT_FOUND';

export class AuthError extends Error {
  readonly code: AuthErrorCode;

  /** @param detail follows the code after a colon, where the SDK expects it. */
  constructor(code: AuthErrorCode, detail?: string) {
    super(detail === undefined ? code : `${code} : ${detail}`);
    this.name = 'AuthError';
    this.code = code;
  }
}
