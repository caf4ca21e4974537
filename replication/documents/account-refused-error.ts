/** The server lets nobody in under this account: nothing can be said about single documents. */
export class AccountRefusedError extends Error {
  override readonly name = 'AccountRefusedError';
  /** The server's word. */
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(`account refused: ${code}`, options);
    this.code = code;
  }
}
