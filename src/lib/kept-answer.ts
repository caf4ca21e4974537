export interface KeptAnswerOptions {
  readonly keepMs: number;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** Asks once and keeps the answer for a while, for all who ask meanwhile. A failure is not kept. */
export function keptAnswer<T>(
  ask: () => Promise<T>,
  { keepMs, now }: KeptAnswerOptions,
): () => Promise<T> {
  let kept: { readonly answer: Promise<T>; readonly askedAtMs: number } | null = null;
  return () => {
    if (kept !== null && now() - kept.askedAtMs < keepMs) return kept.answer;
    const answer = ask();
    const own = { answer, askedAtMs: now() };
    kept = own;
    answer.catch(() => {
      if (kept === own) kept = null;
    });
    return answer;
  };
}
