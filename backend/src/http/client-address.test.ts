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
    expect(createClientAddress(false)(requestFrom(remote))).toBe(address);
  });

  it('is what the nearest proxy says, if there is one, and never what a client says', () => {
    const request = requestFrom('10.0.0.1', 'made up, 192.0.2.7');
    expect(createClientAddress(true)(request)).toBe('192.0.2.7');
    expect(createClientAddress(false)(request)).toBe('10.0.0.1');
    expect(createClientAddress(true)(requestFrom('10.0.0.1', ''))).toBe('10.0.0.1');
  });
});
