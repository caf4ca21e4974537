import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readMultipart } from './multipart-related.ts';

const relatedType = 'multipart/related; boundary=12345';

const bodyOf = (json: string, contents: Uint8Array, end = '\r\n--12345--') =>
  Buffer.concat([
    Buffer.from(
      `--12345\r\nContent-Type: application/json; charset=utf-8\r\n\r\n${json}\r\n--12345\r\nContent-Type: audio/webm\r\n\r\n`,
    ),
    contents,
    Buffer.from(end),
  ]);

async function* inPieces(body: Buffer, sizes: readonly number[]) {
  let at = 0;
  for (let turn = 0; at < body.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    yield body.subarray(at, at + size);
    at += size;
  }
}

const read = async (body: Buffer, sizes: readonly number[] = [64], contentType = relatedType) => {
  const upload = await readMultipart(inPieces(body, sizes), {
    contentType,
    contentLength: body.length,
  });
  const pieces: Uint8Array[] = [];
  for await (const piece of upload.contents) pieces.push(piece);
  return { ...upload, contents: Buffer.concat(pieces) };
};

describe('multipart/related', () => {
  it('gives the same contents however the network cuts the body', async () => {
    const nearlyDelimiters = fc.constantFrom('\r', '\n', '-', '\r\n--1234', '\r\n--', '12345', 'x');
    await fc.assert(
      fc.asyncProperty(
        fc.array(nearlyDelimiters, { maxLength: 30 }),
        fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 }),
        async (parts, sizes) => {
          const text = parts.join('');
          fc.pre(!text.includes('\r\n--12345'));
          const contents = Buffer.from(text);
          const result = await read(bodyOf('{"a":1}', contents), sizes);
          expect(result.metadata).toBe('{"a":1}');
          expect(result.contentType).toBe('audio/webm');
          expect(result.announcedSize).toBe(contents.length);
          expect(result.contents.equals(contents)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });

  it.each([
    ['multipart/related; boundary="12345"'],
    ['Multipart/Related; type="application/json"; boundary=12345'],
    ['multipart/related;boundary=12345; charset=x'],
  ])('finds the boundary in %s', async (contentType) => {
    const result = await read(bodyOf('{}', Buffer.from('x')), [7], contentType);
    expect(result.contents.toString()).toBe('x');
  });

  it('passes a preamble and what follows the end', async () => {
    const body = Buffer.concat([
      Buffer.from('hello\r\n'),
      bodyOf('{}', Buffer.from('x'), '\r\n--12345--\r\nbye'),
    ]);
    expect((await read(body)).contents.toString()).toBe('x');
  });

  it('takes parts without headers', async () => {
    const body = Buffer.from('--12345\r\n\r\n{}\r\n--12345\r\n\r\nabc\r\n--12345--');
    expect(await read(body)).toMatchObject({ metadata: '{}', contentType: null });
  });

  it('reads headers full of blanks as fast as others', async () => {
    const type = `a${' '.repeat(8000)}b`;
    const body = Buffer.from(
      `--12345\r\n\r\n{}\r\n--12345\r\nContent-Type: ${type} \r\n\r\nx\r\n--12345--`,
    );
    const started = performance.now();
    for (let at = 0; at < 20; at++) {
      expect((await read(body, [body.length])).contentType).toBe(type);
    }
    expect(performance.now() - started).toBeLessThan(500);
  });

  it.each([
    ['without its end', bodyOf('{}', Buffer.from('x'), '')],
    ['cut in the delimiter', bodyOf('{}', Buffer.from('x'), '\r\n--123')],
    ['cut after the delimiter', bodyOf('{}', Buffer.from('x'), '\r\n--12345')],
    ['with a third part', bodyOf('{}', Buffer.from('x'), '\r\n--12345\r\n\r\ny\r\n--12345--')],
    ['with one part', Buffer.from('--12345\r\n\r\n{}\r\n--12345--\r\n\r\n')],
    ['with another boundary', Buffer.from('--9\r\n\r\n{}\r\n--9\r\n\r\nx\r\n--9--')],
    ['with endless headers', Buffer.from(`--12345\r\n${'A: b\r\n'.repeat(5000)}`)],
    ['with endless metadata', bodyOf(`{"a":"${'x'.repeat(100_000)}"}`, Buffer.from('x'))],
    ['that is empty', Buffer.alloc(0)],
  ])('refuses a body %s', async (_name, body) => {
    await expect(read(body, [1000])).rejects.toMatchObject({ code: 'invalid' });
  });

  it.each(['multipart/related', 'multipart/form-data; boundary=12345', ''])(
    'refuses the type %j',
    async (contentType) => {
      const body = bodyOf('{}', Buffer.from('x'));
      await expect(read(body, [64], contentType)).rejects.toMatchObject({ code: 'invalid' });
    },
  );
});
