import * as v from 'valibot';
import type { KeyValueStore } from '../../store/key-value-store.ts';
import { createSecrets, type Secrets } from '../accounts/secrets.ts';

/**
 * - A code is asked for under a password: a password changed since makes it worthless.
 * - An expired one stays until newer ones take its place, so that it can be called expired instead of unknown.
 */
const ResetRecord = v.object({
  uid: v.string(),
  passwordChangedMs: v.number(),
  expiresAtMs: v.number(),
});

export type ResetCodes = Secrets<v.InferOutput<typeof ResetRecord>>;

export const createResetCodes = (store: KeyValueStore): ResetCodes =>
  createSecrets({ store, kind: 'reset', schema: ResetRecord, maxPerAccount: 5 });
