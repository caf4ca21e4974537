import { describe, expect, it } from 'vitest';
import { readMetadata, readAbsence, refusal } from './storage-answer.ts';

const json = (status: number, value: unknown): Response =>
  new Response(JSON.stringify(value), { status });
const refused = (status: number): Response => json(status, { error: { code: status } });
const page = (status: number): Response => new Response('<html>Welcome</html>', { status });
const notStorage = { kind: 'transient', code: 'not-storage' };

describe('a refusal', () => {
  it.each([400, 402, 403, 412, 413, 415, 422])('with status %d is for good', async (status) => {
    await expect(refusal(refused(status))).rejects.toMatchObject({
      kind: 'permanent',
      code: `http-${status}`,
    });
  });

  it.each([404, 408, 409, 429, 500, 502, 503])('with status %d is tried again', async (status) => {
    await expect(refusal(refused(status))).rejects.toMatchObject({
      kind: 'transient',
      code: `http-${status}`,
    });
  });

  it('of the token says nothing about the file, whoever gives it', async () => {
    for (const answer of [refused(401), page(401)])
      await expect(refusal(answer)).rejects.toMatchObject({
        kind: 'transient',
        code: 'unauthenticated',
      });
  });

  it('that is not Storage’s own does not count', async () => {
    for (const answer of [page(403), json(403, {}), json(403, { error: 'no' }), json(403, null)])
      await expect(refusal(answer)).rejects.toMatchObject(notStorage);
  });
});

describe('the metadata of a file', () => {
  const metadata = { name: 'a/b.webm', size: '12', md5Hash: 'm', contentType: 'audio/webm' };

  it('are read from Storage’s answer', async () => {
    expect(await readMetadata(json(200, metadata))).toEqual({
      objectName: 'a/b.webm',
      byteLength: 12,
      md5: 'm',
      contentType: 'audio/webm',
    });
  });

  it('have a general type if Storage names none', async () => {
    const { contentType: _, ...rest } = metadata;
    expect((await readMetadata(json(200, rest))).contentType).toBe('application/octet-stream');
  });

  it.each([
    {},
    { ...metadata, name: 7 },
    { ...metadata, size: 12 },
    { ...metadata, size: '12 bytes' },
    { ...metadata, size: '-1' },
    { ...metadata, md5Hash: undefined },
  ])('are not %j', async (value) => {
    await expect(readMetadata(json(200, value))).rejects.toMatchObject(notStorage);
  });

  it('are not a web page', async () => {
    await expect(readMetadata(page(200))).rejects.toMatchObject(notStorage);
  });

  it('are not in a refusal, whatever its body', async () => {
    await expect(readMetadata(json(503, { ...metadata, error: {} }))).rejects.toMatchObject({
      code: 'http-503',
    });
  });
});

describe('a removal', () => {
  it('is done if Storage says so, or that it has no such file', async () => {
    await expect(readAbsence(new Response(null, { status: 204 }))).resolves.toBeUndefined();
    await expect(readAbsence(refused(404))).resolves.toBeUndefined();
  });

  it('is not done after any other answer', async () => {
    await expect(readAbsence(json(200, {}))).rejects.toMatchObject(notStorage);
    await expect(readAbsence(page(404))).rejects.toMatchObject(notStorage);
    await expect(readAbsence(refused(403))).rejects.toMatchObject({ code: 'http-403' });
    await expect(readAbsence(refused(500))).rejects.toMatchObject({ code: 'http-500' });
  });
});
