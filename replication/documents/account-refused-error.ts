/** The server refuses this account altogether, which says nothing about single documents. */
export class AccountRefusedError extends Error {
  override readonly name = 'AccountRefusedError';
  /** The server's code. */
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`account refused: ${code}`, options);
    this.code = code;
  }
}
