import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

/**
 * Returns the network address that attempts are counted by. A client can forge `X-Forwarded-For`, so only entries that a
 * trusted proxy added count: the list is read from its end for as long as the address so far is a trusted proxy's. An
 * IPv6 address is cut to its first 64 bits, since one owner has all of the rest.
 */
export type ClientAddress = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string;

/** @param networks addresses or networks such as `10.0.0.0/8`. */
export function createIsIn(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const each of networks) addNetwork(list, each);
  // A list of IPv4 addresses finds them in IPv6 notation as well.
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const isTrusted = createIsIn(trustedProxies);

  return ({ headers, socket }) => {
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
    let address = withoutMapping(socket.remoteAddress ?? '');
    while (isTrusted(address)) {
      const before = withoutMapping(forwarded.pop()?.trim() ?? '');
      if (isIP(before) === 0) break;
      address = before;
    }
    return toNetwork(address);
  };
}

/** @throws when the text is neither an address nor a network. */
function addNetwork(list: BlockList, text: string): void {
  const [address = '', prefix] = text.split('/');
  if (prefix === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, Number(prefix), familyOf(address));
}

const familyOf = (address: string) => (isIPv6(address) ? 'ipv6' : 'ipv4');

const withoutMapping = (address: string): string => address.replace(/^::ffff:(?=\d+\.)/i, '');

function toNetwork(address: string): string {
  if (!isIPv6(address)) return address.slice(0, 64);
  const [start = '', end] = address.split('::');
  const head = start === '' ? [] : start.split(':');
  const tail = end === undefined || end === '' ? [] : end.split(':');
  const zeros = Array.from({ length: Math.max(0, 8 - head.length - tail.length) }, () => '0');
  return [...head, ...zeros, ...tail].slice(0, 4).join(':');
}

export const thisMachine = ['127.0.0.0/8', '::1'];

export const isThisMachine = createIsIn(thisMachine);
