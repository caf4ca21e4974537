/** A limit is reached. Each protocol has its own form for it: RESOURCE_EXHAUSTED, or 429 with Retry-After. */
export class LimitError extends Error {
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number) {
    super('Too much at once. Try again later.');
    this.name = 'LimitError';
    this.retryAfterMs = retryAfterMs;
  }
}
