import { describe, expect, it } from 'vitest';
import { decodeForwardBody, encodeFrame } from './frames.ts';

describe('encodeFrame', () => {
  it('counts UTF-16 code units, not bytes', () => {
    expect(encodeFrame([{ id: 7, text: '"é😀"' }])).toBe('13\n[[7,["é😀"]]]');
  });

  it('puts several messages into one frame', () => {
    expect(
      encodeFrame([
        { id: 1, text: '{}' },
        { id: 2, text: '"noop"' },
      ]),
    ).toBe('23\n[[1,[{}]],[2,["noop"]]]');
  });
});

const body = (entries: Record<string, string>) => new URLSearchParams(entries).toString();

describe('decodeForwardBody', () => {
  it('reads messages and the headers of a handshake', () => {
    const headers = 'Authorization:Bearer a:b\r\nContent-Type:text/plain\r\n';
    const decoded = decodeForwardBody(
      body({ headers, count: '2', ofs: '5', req0___data__: '{"a":"%é"}', req1___data__: '1' }),
    );
    expect(decoded).toMatchObject({ offset: 5, messages: ['{"a":"%é"}', '1'] });
    expect(decoded?.headers.get('authorization')).toBe('Bearer a:b');
  });

  it.each([
    ['no count', {}],
    ['a count that is no number', { count: 'x' }],
    ['a huge count', { count: '999999' }],
    ['a message missing', { count: '1' }],
    ['a negative offset', { count: '0', ofs: '-1' }],
  ])('refuses %s', (_name, entries) => {
    expect(decodeForwardBody(body(entries))).toBeUndefined();
  });

  it('refuses a form of very many fields', () => {
    const message = body({ count: '1', req0___data__: '{}' });
    expect(decodeForwardBody(`${message}${'&a'.repeat(10_000)}`)).toBeDefined();
    expect(decodeForwardBody(`${message}${'&a'.repeat(20_000)}`)).toBeUndefined();
  });
});
