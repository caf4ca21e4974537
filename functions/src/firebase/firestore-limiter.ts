import type { Firestore } from 'firebase-admin/firestore';
import * as v from 'valibot';
import { charge } from '../transcription/leaky-bucket.ts';
import { transcriptionLimitPath } from '../transcription/limit-path.ts';
import type { RateLimiter } from '../transcription/ports.ts';

const bucketSchema = v.object({ level: v.number(), atMs: v.number() });

/** One bucket per user for all instances of the function. */
export function createFirestoreLimiter(firestore: Firestore, nowMs: () => number): RateLimiter {
  return {
    charge: (uid) =>
      firestore.runTransaction(async (transaction) => {
        const document = firestore.doc(transcriptionLimitPath(uid));
        const stored = v.safeParse(bucketSchema, (await transaction.get(document)).data());
        const result = charge(stored.success ? stored.output : null, nowMs());
        if ('waitMs' in result) return result.waitMs;
        transaction.set(document, { ...result.bucket });
        return 0;
      }),
  };
}
