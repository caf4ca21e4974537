import { describe, expect, it } from 'vitest';
import { createKnownHosts } from './known-hosts.ts';

const known = createKnownHosts({ publicOrigin: 'https://pawpals.example:8443', isTls: false });

describe('the host of a request', () => {
  it.each([
    'localhost',
    'LOCALHOST:4173',
    '127.0.0.1:4173',
    '[::1]:4173',
    '192.0.2.7:4173',
    '[2001:db8::1]',
    'pawpals.example',
    'pawpals.example:443',
    undefined,
  ])('%s is known', (host) => {
    expect(known(host)).toBe(true);
  });

  it.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'pawpals.example.evil.example',
    'evil.example@localhost',
    'localhost/evil.example',
    'localhost, evil.example',
    '',
    ':4173',
  ])('%j is not', (host) => {
    expect(known(host)).toBe(false);
  });

  it('is any name over TLS, where a browser has compared it with the certificate', () => {
    expect(createKnownHosts({ publicOrigin: undefined, isTls: true })('any.example')).toBe(true);
  });
});
