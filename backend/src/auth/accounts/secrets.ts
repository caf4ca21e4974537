import { createHash, randomBytes } from 'node:crypto';
import * as v from 'valibot';
import {
  entriesUnder,
  type KeyValueStore,
  type StoreOperation,
} from '../../store/key-value-store.ts';

export interface SecretsOptions<R> {
  readonly store: KeyValueStore;
  readonly kind: string;
  readonly schema: v.GenericSchema<unknown, R>;
  readonly maxPerAccount: number;
}

export type Secrets<R extends { readonly uid: string }> = ReturnType<typeof createSecrets<R>>;

/**
 * Secrets that a client presents later: refresh tokens and password reset codes.
 *
 * - `auth/<kind>/<hash>` holds the record of a secret by its SHA-256: the store never holds a secret.
 * - `auth/<kind>-of/<uid>/` lists the hashes of an account, the oldest first. Their number is limited; a new one evicts
 *   the oldest.
 */
export function createSecrets<R extends { readonly uid: string }>({
  store,
  kind,
  schema,
  maxPerAccount,
}: SecretsOptions<R>) {
  const recordKey = (hash: string): string => `auth/${kind}/${hash}`;
  const ownedBy = (uid: string): string => `auth/${kind}-of/${uid}/`;
  /** Returns the operations that revoke the secrets of an account: all, or the `count` oldest. */
  const drop = (uid: string, count = Infinity): readonly StoreOperation[] =>
    [...entriesUnder(store, ownedBy(uid))].slice(0, count).flatMap(([rest, hash]) => [
      { type: 'del', key: ownedBy(uid) + rest },
      { type: 'del', key: recordKey(hash) },
    ]);

  return {
    drop,
    find(secret: string): R | undefined {
      const text = store.get(recordKey(toHash(secret)));
      return text === undefined ? undefined : v.parse(schema, JSON.parse(text));
    },
    /** Resolves to the secret, which itself is not stored. */
    async issue(record: R) {
      const secret = randomBytes(32).toString('base64url');
      const hash = toHash(secret);
      const own = [...entriesUnder(store, ownedBy(record.uid))];
      const number = String(Number.parseInt(own.at(-1)?.[0] ?? '0', 10) + 1).padStart(12, '0');
      await store.write([
        { type: 'put', key: recordKey(hash), value: JSON.stringify(record) },
        { type: 'put', key: `${ownedBy(record.uid)}${number}-${hash}`, value: hash },
        ...drop(record.uid, Math.max(0, own.length - maxPerAccount + 1)),
      ]);
      return secret;
    },
  };
}

const toHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url');
