export class AuthError extends Error {
  /** A code of the Identity Toolkit, which the SDK maps to `auth/...`. */
  readonly code: string;

  /** @param detail follows the code after a colon, where the SDK expects it. */
  constructor(code: string, detail?: string) {
    super(detail === undefined ? code : `${code} : ${detail}`);
    this.name = 'AuthError';
    this.code = code;
  }
}
