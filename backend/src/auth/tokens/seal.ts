import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import type { SigningKey } from './signing-key.ts';

interface SealOptions<R> {
  readonly key: SigningKey;
  /** The use of the records: one that was sealed for another purpose does not open. */
  readonly purpose: string;
  readonly schema: v.GenericSchema<unknown, R>;
}

/**
 * Seals records that a client presents later, so that nothing has to be stored for them: refresh tokens, password reset
 * codes and stand-ins for Google's tokens. A sealed record can be read by its holder, but neither made nor changed without the key of the server.
 */
export function createSeal<R>({ key, purpose, schema }: SealOptions<R>) {
  const keyBytes = key.privateKey.export({ type: 'pkcs8', format: 'der' });
  const secret = Buffer.from(hkdfSync('sha256', keyBytes, '', purpose, 32));
  const macOf = (body: string) => createHmac('sha256', secret).update(body).digest('base64url');
  return {
    seal(record: R): string {
      const body = Buffer.from(JSON.stringify(record)).toString('base64url');
      return `${body}.${macOf(body)}`;
    },
    /** Returns undefined for anything that was not sealed here for this purpose, or by a version with other records. */
    open(sealed: string): R | undefined {
      const [body = ''] = sealed.split('.', 1);
      const [given, wanted] = [Buffer.from(sealed), Buffer.from(`${body}.${macOf(body)}`)];
      if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
      const record = v.safeParse(schema, JSON.parse(Buffer.from(body, 'base64url').toString()));
      return record.success ? record.output : undefined;
    },
  };
}
