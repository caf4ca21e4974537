import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

/**
 * Decides whether a host name belongs to this server. An attacker can make a foreign name resolve to this machine (DNS
 * rebinding): in a browser the foreign page then has the same origin as the server, and only the name reveals it.
 *
 * - Loopback names, IP addresses and the host of the public origin are known. An IP address cannot be rebound.
 * - Over TLS every name is known, because the browser has checked it against the certificate.
 * - A request without a host (HTTP/1.0) is accepted, because it does not come from a browser.
 */
export type IsKnownHost = (host: string | undefined) => boolean;

export interface KnownHostsOptions {
  readonly publicOrigin: string | undefined;
  readonly isTls: boolean;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

export function createKnownHosts({ publicOrigin, isTls }: KnownHostsOptions): IsKnownHost {
  const publicName = publicOrigin === undefined ? null : new URL(publicOrigin).hostname;
  return (host) => {
    if (host === undefined || isTls) return true;
    const name = hostName(host);
    return loopback.has(name) || name === publicName || isIP(name.replace(/^\[|\]$/g, '')) !== 0;
  };
}

export const isLoopbackHost = (host: string): boolean => loopback.has(hostName(host));

const forwardingHeader =
  /^(?:forwarded|via|x-forwarded-.*|x-real-ip|cf-connecting-ip|true-client-ip)$/;

/** Whether the request names this machine as a loopback host, and no header of a proxy shows that it was forwarded. */
export const isDirect = ({ headers }: IncomingMessage): boolean =>
  isLoopbackHost(headers.host ?? '') &&
  !Object.keys(headers).some((name) => forwardingHeader.test(name));

/** Returns the host without the port in lower case; empty when the text is not a host. */
function hostName(host: string): string {
  const isHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i.test(host);
  return isHost && URL.canParse(`http://${host}`) ? new URL(`http://${host}`).hostname : '';
}
