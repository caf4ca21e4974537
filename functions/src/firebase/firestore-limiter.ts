import type { DocumentSnapshot, Firestore } from 'firebase-admin/firestore';
import * as v from 'valibot';
import { charge, type Bucket } from '../transcription/leaky-bucket.ts';
import { transcriptionLimitPath } from '../transcription/limit-path.ts';
import type { RateLimiter } from '../transcription/ports.ts';

const bucketSchema = v.object({ level: v.number(), atMs: v.number() });

/** The number of attempts, each of which another request of the same user may beat. */
const maxRaces = 5;
/** The delay for a request that has lost every race, so its user sends many at once. */
const raceWaitMs = 2_000;

/**
 * Creates a limiter with one bucket per user for all instances of the function. A write is a compare-and-set on the
 * read document; that takes one request less than a transaction.
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
 * The gRPC codes for a document that is missing, or has changed since it was read. Over REST the SDK has only the HTTP
 * status, and maps the latter to 3.
 */
const raceSchema = v.object({ code: v.picklist([3, 5, 9]) });

async function isWritten(
  { ref, updateTime }: DocumentSnapshot,
  { level, atMs }: Bucket,
): Promise<boolean> {
  try {
    // Concurrent first requests of a user may count as one: the SDK would repeat a lost `create` for seconds.
    if (updateTime === undefined) await ref.set({ level, atMs });
    else await ref.update({ level, atMs }, { lastUpdateTime: updateTime });
    return true;
  } catch (error) {
    if (v.is(raceSchema, error)) return false;
    throw error;
  }
}
