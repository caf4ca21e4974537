import * as v from 'valibot';
import type { KeyValueStore } from '../../store/key-value-store.ts';
import { createSecrets, type Secrets } from '../accounts/secrets.ts';

const ResetRecord = v.object({
  uid: v.string(),
  passwordChangedMs: v.number(),
  expiresAtMs: v.number(),
});

export type ResetCodes = Secrets<v.InferOutput<typeof ResetRecord>>;

/**
 * - A code is bound to the password at the time of the request: changing the password invalidates it.
 * - An expired code stays until newer ones evict it, so that it is reported as expired instead of unknown.
 */
export const createResetCodes = (store: KeyValueStore): ResetCodes =>
  createSecrets({ store, kind: 'reset', schema: ResetRecord, maxPerAccount: 5 });
