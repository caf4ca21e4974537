import { randomBytes, scrypt, timingSafeEqual, type ScryptOptions } from 'node:crypto';
import * as v from 'valibot';
import { AuthError } from '../auth-error.ts';

/**
 * - scrypt with a salt of its own per password; the cost is stored with the hash, so it can be raised
 *   without invalidating older ones.
 * - Checking against no hash takes as long as checking against one, so that time does not tell
 *   whether an account exists.
 * - Few run at a time: each takes 32 MiB and a thread that the store needs as well. When too many
 *   wait, the next is refused.
 */
export const PasswordHash = v.object({
  salt: v.string(),
  hash: v.string(),
  cost: v.number(),
});
export type PasswordHash = v.InferOutput<typeof PasswordHash>;

export interface Passwords {
  hash(password: string): Promise<PasswordHash>;
  verify(password: string, stored: PasswordHash | null): Promise<boolean>;
}

const DEFAULT_COST = 2 ** 15;
const HASH_BYTES = 32;
const MAX_RUNNING = 2;
const MAX_WAITING = 100;

export function createPasswords(cost = DEFAULT_COST): Passwords {
  const limit = createLimit(MAX_RUNNING);
  const decoy: PasswordHash = { salt: randomBytes(16).toString('base64'), hash: '', cost };
  return {
    async hash(password) {
      const salt = randomBytes(16);
      const hash = await limit(() => derive(password, salt, cost));
      return { salt: salt.toString('base64'), hash: hash.toString('base64'), cost };
    },
    async verify(password, stored) {
      const { salt, hash, cost: storedCost } = stored ?? decoy;
      const wanted = Buffer.from(hash, 'base64');
      const actual = await limit(() => derive(password, Buffer.from(salt, 'base64'), storedCost));
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

function createLimit(maxRunning: number) {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <T>(run: () => Promise<T>): Promise<T> => {
    if (waiting.length >= MAX_WAITING) throw new AuthError('TOO_MANY_ATTEMPTS_TRY_LATER');
    if (running >= maxRunning) await new Promise<void>((resolve) => waiting.push(resolve));
    else running++;
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
