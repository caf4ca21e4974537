import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import * as v from 'valibot';
import type { Resources } from '../../limits/resources.ts';
import { maxPasswordLength } from './password-policy.ts';

export const PasswordHash = v.object({
  salt: v.string(),
  hash: v.string(),
  cost: v.number(),
});
export type PasswordHash = v.InferOutput<typeof PasswordHash>;

/** The cost of scrypt. */
export const defaultCost = 2 ** 15;
const hashBytes = 32;

export type Passwords = ReturnType<typeof createPasswords>;

/**
 * - It hashes with scrypt and a salt per password; the cost is stored with the hash, so it can be raised
 *   without invalidating older hashes.
 * - Verifying without a hash takes as long as with one, so that the time does not reveal whether an account exists.
 * - Few hashes run at a time, and network addresses take turns.
 */
export function createPasswords({ hashing }: Pick<Resources, 'hashing'>, cost = defaultCost) {
  const decoy: PasswordHash = { salt: randomBytes(16).toString('base64'), hash: '', cost };
  return {
    /** @param address the network address of the client. */
    async hash(password: string, address: string): Promise<PasswordHash> {
      const salt = randomBytes(16);
      const hash = await hashing(address, () => derive(password, salt, cost));
      return { salt: salt.toString('base64'), hash: hash.toString('base64'), cost };
    },
    async verify(text: string, stored: PasswordHash | null, address: string) {
      // A longer text is nobody's password, and takes seconds to normalize: the empty one, which is nobody's either, is hashed.
      const password = text.length > maxPasswordLength ? '' : text;
      const { salt, hash, cost: storedCost } = stored ?? decoy;
      const wanted = Buffer.from(hash, 'base64');
      const actual = await hashing(address, () =>
        derive(password, Buffer.from(salt, 'base64'), storedCost),
      );
      return wanted.length === actual.length && timingSafeEqual(wanted, actual);
    },
  };
}

const derive = (password: string, salt: Buffer, cost: number): Promise<Buffer> =>
  promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)(
    password.normalize('NFKC'),
    salt,
    hashBytes,
    { N: cost, r: 8, p: 1, maxmem: 256 * cost * 8 },
  );
