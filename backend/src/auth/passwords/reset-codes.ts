import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import type { KeyValueStore, StoreOperation } from '../../store/key-value-store.ts';

/**
 * - `auth/reset/<hash>` holds a code by its SHA-256, for whom it is and under which password it was
 *   asked for: a password changed since makes it worthless.
 * - An account has at most five; a new one takes the place of its oldest.
 * - Expired ones are kept for a day, so that they can be called expired instead of unknown.
 */
const ResetRecord = v.object({
  uid: v.string(),
  passwordChangedMs: v.number(),
  expiresAtMs: v.number(),
});
export type ResetRecord = v.InferOutput<typeof ResetRecord>;

export interface ResetCodes {
  /** Resolves to the code, which is not stored. */
  issue(record: ResetRecord): Promise<string>;
  find(code: string): ResetRecord | undefined;
  /** Worth nothing at once; the operations that make it so for ever are the caller's to write. */
  drop(uid: string): readonly StoreOperation[];
}

const PREFIX = 'auth/reset/';
const MAX_PER_ACCOUNT = 5;
const KEPT_EXPIRED_MS = 24 * 60 * 60 * 1000;

export async function loadResetCodes(
  store: KeyValueStore,
  nowMs: () => number,
): Promise<ResetCodes> {
  const records = new Map<string, ResetRecord>();
  for await (const [key, text] of store.entries(PREFIX)) {
    records.set(key.slice(PREFIX.length), v.parse(ResetRecord, JSON.parse(text)));
  }

  const dropWhere = (isDropped: (record: ResetRecord) => boolean): readonly StoreOperation[] =>
    [...records]
      .filter(([, record]) => isDropped(record))
      .map(([hash]) => {
        records.delete(hash);
        return { type: 'del', key: PREFIX + hash };
      });

  return {
    async issue(record) {
      const code = randomBytes(32).toString('base64url');
      const hash = hashCode(code);
      const own = [...records].filter(([, each]) => each.uid === record.uid);
      const oldest = own.length < MAX_PER_ACCOUNT ? undefined : own[0]?.[1];
      const surplus = dropWhere(
        (each) => each === oldest || each.expiresAtMs + KEPT_EXPIRED_MS < nowMs(),
      );
      const value = JSON.stringify(record);
      await store.write([{ type: 'put', key: PREFIX + hash, value }, ...surplus]);
      records.set(hash, record);
      return code;
    },
    find: (code) => records.get(hashCode(code)),
    drop: (uid) => dropWhere((each) => each.uid === uid),
  };
}

const hashCode = (code: string): string => createHash('sha256').update(code).digest('base64url');
