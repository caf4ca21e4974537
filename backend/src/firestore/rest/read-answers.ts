import type { JsonObject } from '../../json.ts';

/**
 * Answers that clients have read lately, of batches that cannot be meant twice.
 *
 * A client says what it has read before it has handled it. If its stream is closed in between, it sends the batch once
 * more on another session, as if nothing had been answered. The server may not know yet that the first session is gone.
 */
export interface ReadAnswers {
  /** @returns entries that are over: nobody asks for them any more. */
  add(entry: ReadEntry, session: object): readonly ReadEntry[];
  /** Of that user, read in a session other than this one. */
  find(uid: string, hash: string, session: object): JsonObject | undefined;
}

export interface ReadEntry {
  readonly key: string;
  readonly uid: string;
  readonly hash: string;
  /** Others are not kept: an equal one may be a new one. */
  readonly isOnce: boolean;
  readonly answer: JsonObject;
}

interface Kept {
  readonly entry: ReadEntry;
  readonly session: object;
  readonly atMs: number;
}

const KEPT_MS = 60_000;
const MAX_ANSWERS = 10_000;

const nameOf = (uid: string, hash: string): string => `${hash} ${uid}`;

export function createReadAnswers(nowMs: () => number): ReadAnswers {
  /** The oldest first. */
  const kept = new Map<string, Kept>();
  const isOver = ({ atMs }: Kept) => atMs < nowMs() - KEPT_MS;

  const take = (name: string): ReadEntry[] => {
    const found = kept.get(name);
    kept.delete(name);
    return found === undefined ? [] : [found.entry];
  };

  const takeOldest = (): ReadEntry[] => {
    const over: ReadEntry[] = [];
    for (const [name, each] of kept) {
      if (kept.size <= MAX_ANSWERS && !isOver(each)) break;
      over.push(...take(name));
    }
    return over;
  };

  return {
    add(entry, session) {
      if (!entry.isOnce) return [entry];
      const name = nameOf(entry.uid, entry.hash);
      const replaced = take(name);
      kept.set(name, { entry, session, atMs: nowMs() });
      return [...replaced, ...takeOldest()];
    },
    find(uid, hash, session) {
      const found = kept.get(nameOf(uid, hash));
      if (found === undefined || isOver(found) || found.session === session) return undefined;
      return found.entry.answer;
    },
  };
}
