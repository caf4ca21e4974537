import * as v from 'valibot';
import type { KeyValueStore } from '../../store/key-value-store.ts';
import { createSecrets, type Secrets } from '../accounts/secrets.ts';

const RefreshRecord = v.object({
  uid: v.string(),
  authTimeS: v.number(),
  provider: v.optional(v.picklist(['password', 'google.com']), 'password'),
});
export type RefreshRecord = v.InferOutput<typeof RefreshRecord>;

export const createRefreshTokens = (store: KeyValueStore): Secrets<RefreshRecord> =>
  createSecrets({ store, kind: 'refresh', schema: RefreshRecord, maxPerAccount: 100 });
