import type { IncomingMessage } from 'node:http';
import { isIPv6 } from 'node:net';

/**
 * The network address that attempts are counted by. A proxy in front is believed only when there is
 * one: anybody can write the header. Of IPv6 the first half counts, since an owner has all of the rest.
 */
export type ClientAddress = (request: IncomingMessage) => string;

export function createClientAddress(isBehindProxy: boolean): ClientAddress {
  return ({ headers, socket }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '')
      .split(',')
      .at(-1)
      ?.trim();
    const isForwarded = isBehindProxy && forwarded !== undefined && forwarded !== '';
    return toNetwork(isForwarded ? forwarded : (socket.remoteAddress ?? ''));
  };
}

function toNetwork(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '');
  if (!isIPv6(plain)) return plain.slice(0, 64);
  const [start = '', end] = plain.split('::');
  const head = start === '' ? [] : start.split(':');
  const tail = end === undefined || end === '' ? [] : end.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}
