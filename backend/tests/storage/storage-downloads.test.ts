import { readdirSync, readlinkSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { headersOf, setUpStorage } from '../support/storage-setup.ts';

/** Returns how many files of a folder this process has open. */
function openFilesIn(folder: string): number {
  const targets = readdirSync('/proc/self/fd').map((each) => {
    try {
      return readlinkSync(join('/proc/self/fd', each));
    } catch {
      return '';
    }
  });
  return targets.filter((each) => each.startsWith(folder)).length;
}

describe('downloads', () => {
  it.runIf(process.platform === 'linux')(
    'that wait for another one on a connection leave no file open when it ends',
    async () => {
      const { backend, client, dataDir } = await setUpStorage();
      await client.upload('a', new Uint8Array(5_000_000));
      const { pathname, search } = new URL(await client.downloadUrl('a'));
      const socket = connect(backend.port, '127.0.0.1').on('error', () => undefined);
      socket
        .pause()
        .write(`GET ${pathname}${search} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(10));
      const open = () => openFilesIn(join(dataDir, 'files', 'files'));
      await expect.poll(open).toBeGreaterThan(5);
      socket.destroy();
      await expect.poll(open).toBe(0);
    },
  );

  const text = '0123456789';

  it.each([
    { range: 'bytes=0-3', status: 206, body: '0123', contentRange: 'bytes 0-3/10' },
    { range: 'bytes=7-', status: 206, body: '789', contentRange: 'bytes 7-9/10' },
    { range: 'bytes=-2', status: 206, body: '89', contentRange: 'bytes 8-9/10' },
    { range: 'bytes=10-', status: 416, body: '', contentRange: 'bytes */10' },
    { range: 'bytes=0-1,3-4', status: 200, body: text },
  ])('a range $range is $status', async ({ range, status, body, contentRange }) => {
    const { client } = await setUpStorage();
    await client.upload('a', text, 'audio/webm');
    const response = await fetch(await client.downloadUrl('a'), { headers: { Range: range } });
    expect([response.status, await response.text()]).toEqual([status, body]);
    expect(headersOf(response)['content-range']).toBe(contentRange);
    expect(headersOf(response)).toMatchObject({
      'accept-ranges': 'bytes',
      'content-length': String(body.length),
      'content-type': 'audio/webm',
    });
  });

  it('know what the client has, and do not mix versions', async () => {
    const { client } = await setUpStorage();
    await client.upload('a', text);
    const url = `${client.objectUrl('a')}?alt=media`;
    const etag = (await client.send(url)).headers.get('etag') ?? '';
    const ask = async (headers: Record<string, string>) => {
      const response = await client.send(url, { headers });
      return [response.status, await response.text()];
    };
    expect(await ask({ 'If-None-Match': etag })).toEqual([304, '']);
    expect(await ask({ 'If-None-Match': `W/"x", ${etag}` })).toEqual([304, '']);
    expect(await ask({ 'If-None-Match': '"x"' })).toEqual([200, text]);
    expect(await ask({ 'If-Range': etag, Range: 'bytes=0-0' })).toEqual([206, '0']);
    await client.upload('a', 'other');
    expect(await ask({ 'If-None-Match': etag })).toEqual([200, 'other']);
    expect(await ask({ 'If-Range': etag, Range: 'bytes=0-0' })).toEqual([200, 'other']);
    const headers = { Range: 'bytes=0-1' };
    const head = await client.send(url, { method: 'HEAD', headers });
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '5']);
  });

  it.each(['text/html', 'image/svg+xml', 'application/pdf'])(
    '%s has no scripts and no origin of its own',
    async (contentType) => {
      const { client } = await setUpStorage();
      await client.upload('a', '<script>alert(1)</script>', contentType);
      const response = await fetch(await client.downloadUrl('a'));
      expect(headersOf(response)).toMatchObject({
        'content-type': contentType,
        'content-security-policy': expect.stringMatching(/^sandbox; default-src 'none';/),
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, max-age=0',
      });
    },
  );

  it('are never code', async () => {
    const { client } = await setUpStorage();
    await client.upload('a', 'alert(1)', 'text/javascript');
    const url = await client.downloadUrl('a');
    expect((await fetch(url)).headers.get('content-type')).toBe('text/plain');
    for (const destination of ['script', 'style', 'worker', 'serviceworker', 'iframe', 'object']) {
      const response = await fetch(url, { headers: { 'Sec-Fetch-Dest': destination } });
      expect([destination, response.status]).toEqual([destination, 403]);
    }
    for (const destination of ['image', 'audio', 'document']) {
      const response = await fetch(url, { headers: { 'Sec-Fetch-Dest': destination } });
      expect([destination, response.status]).toEqual([destination, 200]);
    }
  });

  it('have the headers that were chosen, in any script', async () => {
    const { client } = await setUpStorage();
    const chosen = {
      contentDisposition: 'attachment; filename="Bärchen 🐕.webm"',
      contentLanguage: 'de',
      cacheControl: 'private, max-age=99',
      contentType: 'audio/webm',
    };
    expect((await client.multipart('a', chosen, text)).status).toBe(200);
    const { headers } = await fetch(await client.downloadUrl('a'));
    const disposition = Buffer.from(headers.get('content-disposition') ?? '', 'latin1');
    expect(disposition.toString('utf8')).toBe(chosen.contentDisposition);
    expect(headers.get('content-language')).toBe('de');
    expect(headers.get('cache-control')).toBe('private, max-age=99');
  });

  it('cannot be given a header by a line break', async () => {
    const { client, backend } = await setUpStorage();
    const hostile = { contentDisposition: 'inline\r\nSet-Cookie: a=b' };
    expect((await client.multipart('a', hostile, text)).status).toBe(400);
    await client.upload('a', text);
    const patched = await client.send(client.objectUrl('a'), {
      method: 'PATCH',
      body: JSON.stringify(hostile),
    });
    expect(patched.status).toBe(400);
    expect(backend.storage.get(client.nameOf('a'))).toMatchObject({ size: 10 });
  });

  it('work with their token, without it and after an overwrite not', async () => {
    const { client, backend } = await setUpStorage();
    await client.upload('a', text);
    const name = client.nameOf('a');
    const [token = ''] = backend.storage.get(name)?.downloadTokens ?? [];
    const status = async (given: string) =>
      (await fetch(`${client.objectUrl('a')}?alt=media&token=${given}`)).status;
    expect(await status(token)).toBe(200);
    expect((await fetch(`${client.objectUrl('a')}?token=${token}`)).status).toBe(403);
    await client.upload('a', text);
    expect([await status(token), await status('x'), await status('')]).toEqual([403, 403, 403]);
    const administer = await client.send(`${client.objectUrl('a')}?create_token=true`, {
      method: 'POST',
    });
    expect(administer.status).toBe(403);
  });
});
