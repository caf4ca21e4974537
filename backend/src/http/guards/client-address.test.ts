import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createClientAddress } from './client-address.ts';

function requestFrom(remoteAddress: string, forwarded?: string): IncomingMessage {
  const socket = new Socket();
  Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress });
  const request = new IncomingMessage(socket);
  if (forwarded !== undefined) request.headers['x-forwarded-for'] = forwarded;
  return request;
}

describe('the address that attempts are counted by', () => {
  it.each([
    ['127.0.0.1', '127.0.0.1'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['::1', '0:0:0:0'],
  ])('%s is %s', (remote, address) => {
    expect(createClientAddress([])(requestFrom(remote))).toBe(address);
  });

  it('is the last one that a trusted proxy names, and never what a client says', () => {
    const client = createClientAddress(['10.0.0.1', '127.0.0.0/8', '2001:db8::/32']);
    const of = (remote: string, forwarded?: string) => client(requestFrom(remote, forwarded));
    expect(of('10.0.0.1', 'made up, 192.0.2.7')).toBe('192.0.2.7');
    expect(of('::ffff:127.0.0.3', '203.0.113.1, 192.0.2.7, 10.0.0.1')).toBe('192.0.2.7');
    expect(of('2001:db8::7', '192.0.2.7')).toBe('192.0.2.7');
    // A client that bypasses the proxies can forge the header.
    expect(of('192.0.2.9', '192.0.2.7')).toBe('192.0.2.9');
    expect(of('10.0.0.2', '192.0.2.7')).toBe('10.0.0.2');
    for (const nothing of [undefined, '', 'unknown', '192.0.2.7, made up']) {
      expect(of('10.0.0.1', nothing)).toBe('10.0.0.1');
    }
    expect(createClientAddress([])(requestFrom('127.0.0.1', '192.0.2.7'))).toBe('127.0.0.1');
  });
});
