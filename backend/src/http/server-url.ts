import { isIPv6 } from 'node:net';

/** The interfaces that this machine reaches as localhost, the one name under which browsers trust plain http. */
const reachedAsLocalhost = new Set(['127.0.0.1', 'localhost', '0.0.0.0', '::']);

interface ServerAddress {
  readonly isSecure: boolean;
  /** The interface that the server listens on. */
  readonly host: string | undefined;
  readonly port: number;
}

/** Returns an origin under which this machine reaches the server. */
export function serverUrl({ isSecure, host = 'localhost', port }: ServerAddress): string {
  const literal = isIPv6(host) ? `[${host}]` : host;
  const name = reachedAsLocalhost.has(host) ? 'localhost' : literal;
  return `${isSecure ? 'https' : 'http'}://${name}:${port}`;
}
