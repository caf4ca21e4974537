import { describe, expect, it } from 'vitest';
import { linkOrigin, type LinkOriginOptions } from './link-origin.ts';

const local: LinkOriginOptions = {
  publicOrigin: null,
  isLoopbackOnly: true,
};
const open: LinkOriginOptions = {
  publicOrigin: 'https://pawpals.example',
  isLoopbackOnly: false,
};

describe('where a link in a mail may lead', () => {
  it.each([
    [local, { continueUrl: 'http://localhost:5173/auth/login?a=b' }, 'http://localhost:5173'],
    [local, { pageOrigin: 'http://127.0.0.1:4173' }, 'http://127.0.0.1:4173'],
    [open, { continueUrl: 'https://pawpals.example/auth/login' }, 'https://pawpals.example'],
    // The origin of the calling page is ignored when a public origin is configured.
    [open, { pageOrigin: 'https://evil.example' }, 'https://pawpals.example'],
  ])('%j with %j: %s', (options, request, origin) => {
    expect(linkOrigin(options, { continueUrl: '', pageOrigin: '', ...request })).toBe(origin);
  });

  it.each([
    [local, { continueUrl: 'https://evil.example' }, 'UNAUTHORIZED_DOMAIN'],
    [local, { continueUrl: 'https://localhost.evil.example' }, 'UNAUTHORIZED_DOMAIN'],
    [local, { continueUrl: 'https://localhost@evil.example' }, 'UNAUTHORIZED_DOMAIN'],
    [local, { continueUrl: 'javascript:alert(1)//localhost' }, 'UNAUTHORIZED_DOMAIN'],
    [local, { continueUrl: 'data:text/html,x' }, 'UNAUTHORIZED_DOMAIN'],
    [local, { continueUrl: 'not a url' }, 'INVALID_CONTINUE_URI'],
    [local, { pageOrigin: 'https://evil.example' }, 'UNAUTHORIZED_DOMAIN'],
    [local, { pageOrigin: 'null' }, 'UNAUTHORIZED_DOMAIN'],
    [open, { continueUrl: 'http://localhost:4173' }, 'UNAUTHORIZED_DOMAIN'],
    [{ ...open, publicOrigin: null }, { pageOrigin: 'https://any.example' }, 'UNAUTHORIZED_DOMAIN'],
  ])('%j with %j: %s', (options, request, code) => {
    const resolve = () => linkOrigin(options, { continueUrl: '', pageOrigin: '', ...request });
    expect(resolve).toThrow(expect.objectContaining({ code }));
  });

  it('refuse a continue URL that would fill the mail folder', () => {
    const continueUrl = `http://localhost/${'x'.repeat(2048)}`;
    const resolve = () => linkOrigin(local, { continueUrl, pageOrigin: '' });
    expect(resolve).toThrow(expect.objectContaining({ code: 'INVALID_CONTINUE_URI' }));
  });
});
