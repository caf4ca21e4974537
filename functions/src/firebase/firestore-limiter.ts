import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import * as v from 'valibot';
import { charge, type Bucket } from '../transcription/leaky-bucket.ts';
import { transcriptionLimitPath } from '../transcription/limit-path.ts';
import type { RateLimiter } from '../transcription/ports.ts';

const bucketSchema = v.object({ level: v.number(), atMs: v.number() });

/** So many of one user's requests may come between the reading and the writing of one. */
const maxRaces = 5;
/** For who has lost them all, and asks for a lot at once. */
const raceWaitMs = 2_000;

/**
 * One bucket per user for all instances of the function. A write counts only on top of what was read; that takes one
 * request less than a transaction.
 */
export function createFirestoreLimiter(firestore: Firestore, nowMs: () => number): RateLimiter {
  return {
    async charge(uid) {
      const document = firestore.doc(transcriptionLimitPath(uid));
      for (let race = 0; race < maxRaces; race += 1) {
        const snapshot = await document.get();
        const stored = v.safeParse(bucketSchema, snapshot.data());
        const result = charge(stored.success ? stored.output : null, nowMs());
        if ('waitMs' in result) return result.waitMs;
        if (await isWritten(snapshot, result.bucket)) return 0;
      }
      return raceWaitMs;
    },
  };
}

/**
 * The codes of gRPC for a document that is not there, or not as it was read. Over REST the SDK knows only the HTTP status,
 * and makes 3 of the latter.
 */
const raceSchema = v.object({ code: v.picklist([3, 5, 9]) });

async function isWritten(
  { ref, updateTime }: DocumentSnapshot,
  { level, atMs }: Bucket,
): Promise<boolean> {
  try {
    // A user's very first requests may count as one: the SDK would repeat a lost `create` for seconds.
    if (updateTime === undefined) await ref.set({ level, atMs });
    else await ref.update({ level, atMs }, { lastUpdateTime: updateTime });
    return true;
  } catch (error) {
    if (v.is(raceSchema, error)) return false;
    throw error;
  }
}
