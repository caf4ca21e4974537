import type { JsonObject } from '../json.ts';

/**
 * Answers that clients have read lately, of batches that cannot be meant twice.
 *
 * A client says what it has read before it has handled it. If its stream is closed in between, it sends the batch once
 * more as if nothing had been answered.
 */
export interface ReadAnswers {
  add(entry: ReadEntry, isGone: () => boolean): void;
  /** Of that user, in a session that is gone. */
  find(uid: string, hash: string): JsonObject | undefined;
}

export interface ReadEntry {
  readonly uid: string;
  readonly hash: string;
  /** Others are not kept: an equal one may be a new one. */
  readonly isOnce: boolean;
  readonly answer: JsonObject;
}

interface Kept {
  readonly answer: JsonObject;
  readonly isGone: () => boolean;
  readonly atMs: number;
}

const KEPT_MS = 60_000;
const MAX_ANSWERS = 10_000;

const keyOf = (uid: string, hash: string): string => `${hash} ${uid}`;

export function createReadAnswers(nowMs: () => number): ReadAnswers {
  /** The oldest first. */
  const kept = new Map<string, Kept>();
  const isOver = ({ atMs }: Kept) => atMs < nowMs() - KEPT_MS;

  const dropOldest = () => {
    for (const [key, each] of kept) {
      if (kept.size <= MAX_ANSWERS && !isOver(each)) return;
      kept.delete(key);
    }
  };

  return {
    add({ uid, hash, isOnce, answer }, isGone) {
      if (!isOnce) return;
      const key = keyOf(uid, hash);
      kept.delete(key);
      kept.set(key, { answer, isGone, atMs: nowMs() });
      dropOldest();
    },
    find(uid, hash) {
      const found = kept.get(keyOf(uid, hash));
      return found !== undefined && !isOver(found) && found.isGone() ? found.answer : undefined;
    },
  };
}
