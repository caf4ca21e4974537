import type { JsonObject } from '../json.ts';

/**
 * Answers that clients have read lately, of batches that cannot be meant twice.
 *
 * A client says what it has read before it has handled it. If its stream is closed in between, it sends the batch once
 * more as if nothing had been answered.
 */
export interface ReadAnswers {
  add(answer: ReadAnswer): void;
  /** Of that user, in a session that is gone. */
  find(uid: string, hash: string): JsonObject | undefined;
}

export interface ReadAnswer {
  readonly uid: string;
  readonly hash: string;
  readonly answer: JsonObject;
  readonly isGone: () => boolean;
}

const KEPT_MS = 60_000;
const MAX_ANSWERS = 10_000;

export function createReadAnswers(nowMs: () => number): ReadAnswers {
  let kept: (ReadAnswer & { readonly atMs: number })[] = [];
  return {
    add(answer) {
      const sinceMs = nowMs() - KEPT_MS;
      if ((kept[0]?.atMs ?? Infinity) < sinceMs || kept.length >= MAX_ANSWERS) {
        kept = kept.filter(({ atMs }) => atMs >= sinceMs).slice(-MAX_ANSWERS / 2);
      }
      kept.push({ ...answer, atMs: nowMs() });
    },
    find(uid, hash) {
      const sinceMs = nowMs() - KEPT_MS;
      const isIt = (each: (typeof kept)[number]): boolean =>
        each.uid === uid && each.hash === hash && each.atMs >= sinceMs && each.isGone();
      return kept.find(isIt)?.answer;
    },
  };
}
