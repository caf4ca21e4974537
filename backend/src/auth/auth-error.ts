export class AuthError extends Error {
  /** A code of the Identity Toolkit, which the SDK maps to `auth/...`. */
  readonly code: string;
  /** The status of the answer. */
  readonly status: number;

  /** @param detail follows the code after a colon, where the SDK expects it. */
  constructor(code: string, detail?: string, status = 400) {
    super(detail === undefined ? code : `${code} : ${detail}`);
    this.name = 'AuthError';
    this.code = code;
    this.status = status;
  }
}
