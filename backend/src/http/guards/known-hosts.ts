import { isIP } from 'node:net';

/**
 * Whether a request names a host that this server is known by. A stranger can make a name of their own resolve to this
 * machine (DNS rebinding): in a browser their page then has the same origin as the server, and only the name tells.
 *
 * - Loopback names, addresses and the hosts of the origins that the server was told about are known. An address is no
 *   name that resolves to something else.
 * - Over TLS every name is known: the browser has compared it with the certificate.
 * - A request without a host (HTTP/1.0) does not come from a browser.
 */
export type IsKnownHost = (host: string | undefined) => boolean;

export interface KnownHostsOptions {
  readonly origins: readonly string[];
  readonly isTls: boolean;
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export function createKnownHosts({ origins, isTls }: KnownHostsOptions): IsKnownHost {
  const named = new Set(origins.map((origin) => new URL(origin).hostname));
  return (host) => {
    if (host === undefined || isTls) return true;
    const name = hostName(host);
    return LOOPBACK.has(name) || named.has(name) || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  };
}

export const isLoopbackHost = (host: string): boolean => LOOPBACK.has(hostName(host));

/** Without the port and in lower case; empty for what is no host. */
function hostName(host: string): string {
  const isHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host);
  return isHost && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}
