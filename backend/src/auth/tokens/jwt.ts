import { SignJWT, jwtVerify, type JWTPayload } from 'jose';
import type { SigningKey } from './signing-key.ts';

export interface JwtOptions {
  readonly key: SigningKey;
  readonly issuer: string;
  readonly audience: string;
  readonly lifetimeS: number;
  readonly nowMs: () => number;
}

/** RS256 with our own key: unsigned tokens, other keys, algorithms, audiences and issuers are refused. */
export function createJwt({ key, issuer, audience, lifetimeS, nowMs }: JwtOptions) {
  return {
    sign(sub: string, claims: JWTPayload) {
      const iat = Math.floor(nowMs() / 1000);
      const payload = { ...claims, iss: issuer, aud: audience, sub, iat, exp: iat + lifetimeS };
      return new SignJWT(payload)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
        .sign(key.privateKey);
    },
    /** @throws an error of jose; JWTExpired for an expired token. */
    async verify(token: string) {
      const algorithms = ['RS256'];
      const currentDate = new Date(nowMs());
      const options = { algorithms, audience, issuer, currentDate };
      return (await jwtVerify(token, key.publicKey, options)).payload;
    },
  };
}
