import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import * as v from 'valibot';
import type { Resources } from '../../limits/resources.ts';

/**
 * - scrypt with a salt of its own per password; the cost is stored with the hash, so it can be raised
 *   without invalidating older ones.
 * - Checking against no hash takes as long as checking against one, so that time does not tell
 *   whether an account exists.
 * - Few run at a time, and network addresses take turns.
 */
export const PasswordHash = v.object({
  salt: v.string(),
  hash: v.string(),
  cost: v.number(),
});
export type PasswordHash = v.InferOutput<typeof PasswordHash>;

export interface Passwords {
  /** @param address of the network that waits for it. */
  hash(password: string, address: string): Promise<PasswordHash>;
  verify(password: string, stored: PasswordHash | null, address: string): Promise<boolean>;
}

const DEFAULT_COST = 2 ** 15;
const HASH_BYTES = 32;

export function createPasswords(
  { hashing }: Pick<Resources, 'hashing'>,
  cost = DEFAULT_COST,
): Passwords {
  const decoy: PasswordHash = { salt: randomBytes(16).toString('base64'), hash: '', cost };
  return {
    async hash(password, address) {
      const salt = randomBytes(16);
      const hash = await hashing(address, () => derive(password, salt, cost));
      return { salt: salt.toString('base64'), hash: hash.toString('base64'), cost };
    },
    async verify(password, stored, address) {
      const { salt, hash, cost: storedCost } = stored ?? decoy;
      const wanted = Buffer.from(hash, 'base64');
      const actual = await hashing(address, () =>
        derive(password, Buffer.from(salt, 'base64'), storedCost),
      );
      return wanted.length === actual.length && timingSafeEqual(wanted, actual);
    },
  };
}

function derive(password: string, salt: Buffer, cost: number): Promise<Buffer> {
  const options: ScryptOptions = { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize('NFKC'), salt, HASH_BYTES, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
