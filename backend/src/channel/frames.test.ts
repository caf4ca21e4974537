import { describe, expect, it } from 'vitest';
import { decodeField, decodeForwardBody, encodeFrame } from './frames.ts';

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

const body = (entries: Record<string, string>, more = '') =>
  Buffer.from(new URLSearchParams(entries).toString() + more);

describe('decodeForwardBody', () => {
  it('reads messages and the headers of a handshake', () => {
    const headers = 'Authorization:Bearer a:b\r\nContent-Type:text/plain\r\n';
    const decoded = decodeForwardBody(
      body({ headers, count: '2', ofs: '5', req0___data__: '{"a":"%é"}', req1___data__: '1' }),
    );
    expect([decoded?.offset, decoded?.messages.map(decodeField)]).toEqual([5, ['{"a":"%é"}', '1']]);
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

  it('takes headers of up to 16 KiB, as the head of a request has', () => {
    const headers = (count: number) => body({ count: '0', headers: 'A:b\r\n'.repeat(count) });
    expect(decodeForwardBody(headers(1000))).toBeDefined();
    expect(decodeForwardBody(headers(10_000))).toBeUndefined();
  });

  it('refuses a form of very many fields', () => {
    const message = { count: '1', req0___data__: '{}' };
    expect(decodeForwardBody(body(message, '&a'.repeat(10_000)))).toBeDefined();
    expect(decodeForwardBody(body(message, '&a'.repeat(20_000)))).toBeUndefined();
  });
});

describe('decodeField', () => {
  it('decodes what a form encodes, and text that is not encoded', () => {
    expect(decodeField(Buffer.from('%7B%22a%22+%C3%A9é%F0%9F%98%80'))).toBe('{"a" éé😀');
  });

  it.each(['%', '%zz', '%C3', '%FF'])('refuses %s', (text) => {
    expect(decodeField(Buffer.from(text))).toBeUndefined();
  });
});
