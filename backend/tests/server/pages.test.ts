import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises';
import type fsPromises from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

vi.mock('node:fs/promises', async (original) => {
  const actual = await original<typeof fsPromises>();
  return { ...actual, readFile: vi.fn<typeof readFile>(actual.readFile) };
});

const pageText = `<!doctype html><title>PawPals</title>${'<p>dog</p>'.repeat(200)}`;
const scriptText = 'console.log("dog");'.repeat(200);

/** Makes a request like `fetch`, but keeps the path unchanged and does not decompress. */
function get(
  port: number,
  path: string,
  options: { method?: string; headers?: Record<string, string> } = {},
) {
  return new Promise<{ status: number; headers: Record<string, unknown>; body: Buffer }>(
    (resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, path, ...options }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      });
      sent.on('error', reject).end();
    },
  );
}

async function setUp(extra: Record<string, string> = {}) {
  const folder = await tempFolder();
  await mkdir(join(folder, 'dist/static'), { recursive: true });
  const files = {
    'index.html': pageText,
    'sw.js': scriptText,
    'manifest.webmanifest': '{}',
    'static/app-1a2b3c.js': scriptText,
    ...extra,
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, 'dist', name), content);
  await writeFile(join(folder, 'secret.txt'), 'secret');
  const { port } = await startBackend({
    staticDir: join(folder, 'dist'),
    dataDir: join(folder, 'data'),
  });
  return { folder, fetch: (path: string, options = {}) => get(port, path, options) };
}

describe('pages', () => {
  it('are not kept without asking, and carry the security headers', async () => {
    const { fetch } = await setUp();
    for (const path of [
      '/',
      '/index.html',
      '/sw.js',
      '/manifest.webmanifest',
      '/pets/abc/profile',
    ]) {
      const { status, headers } = await fetch(path);
      expect([path, status]).toEqual([path, 200]);
      expect(headers).toMatchObject({
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'content-security-policy':
          "default-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self' blob: data:; " +
          "media-src 'self' blob:; style-src 'self'; object-src 'none'; base-uri 'self'; " +
          "form-action 'self'; frame-ancestors 'none'; worker-src 'self'; manifest-src 'self'",
      });
    }
  });

  it('routes of the app get the page; a missing file never does', async () => {
    const { fetch } = await setUp();
    expect((await fetch('/pets/abc/profile')).body.toString()).toBe(pageText);
    for (const path of [
      '/static/app-old.js',
      '/static/none',
      '/icon.png',
      '/pets/photo.jpg',
      '/static/',
      '/__/none',
    ]) {
      const { status, body } = await fetch(path);
      expect([path, status, body.toString()]).toEqual([path, 404, 'Not found']);
    }
  });

  it('hashed files are kept for a year', async () => {
    const { fetch } = await setUp();
    const { headers } = await fetch('/static/app-1a2b3c.js');
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
  });

  it('are compressed for a client that takes brotli', async () => {
    const { fetch } = await setUp();
    const ask = (path: string, accept: string) =>
      fetch(path, { headers: { 'Accept-Encoding': accept } });
    const br = await ask('/', 'gzip, deflate, br');
    expect([br.headers['content-encoding'], brotliDecompressSync(br.body).toString()]).toEqual([
      'br',
      pageText,
    ]);
    for (const accept of ['identity', 'gzip, br;q=0', 'gzip, br; q=0.0, x', 'brotli']) {
      const { headers, body } = await ask('/', accept);
      expect([accept, headers['content-encoding']]).toEqual([accept, undefined]);
      expect(body.toString()).toBe(pageText);
    }
    for (const accept of ['br', 'br;q=0.5, gzip', 'gzip,br ,x', 'gzip;q=0, br;q=1']) {
      const { headers } = await ask('/', accept);
      expect([accept, headers['content-encoding']]).toEqual([accept, 'br']);
    }
    expect(br.headers['vary']).toBe('Accept-Encoding');
  });

  it('are read once for all who ask at the same time', async () => {
    const { fetch } = await setUp();
    vi.mocked(readFile).mockClear();
    const answers = await Promise.all(Array.from({ length: 20 }, () => fetch('/sw.js')));
    expect(answers.every(({ body }) => body.toString() === scriptText)).toBe(true);
    const read = vi
      .mocked(readFile)
      .mock.calls.filter(([file]) => typeof file === 'string' && file.endsWith('sw.js'));
    expect(read).toHaveLength(1);
  });

  it('are read again after a failure', async () => {
    const { fetch } = await setUp();
    vi.mocked(readFile).mockRejectedValueOnce(new Error('EIO'));
    expect((await fetch('/sw.js')).status).toBe(500);
    expect((await fetch('/sw.js')).status).toBe(200);
  });

  it('are revalidated by their content', async () => {
    const { fetch, folder } = await setUp();
    const { headers } = await fetch('/');
    const etag = String(headers['etag']);
    const again = () => fetch('/', { headers: { 'If-None-Match': etag } });
    expect((await again()).status).toBe(304);
    await writeFile(join(folder, 'dist/index.html'), 'a new build');
    await utimes(join(folder, 'dist/index.html'), 1, 1);
    const changed = await again();
    expect([changed.status, changed.body.toString()]).toEqual([200, 'a new build']);
  });

  it('answer HEAD without a body and refuse other methods', async () => {
    const { fetch } = await setUp();
    const head = await fetch('/', { method: 'HEAD' });
    expect([head.status, head.body.length, head.headers['content-length']]).toEqual([
      200,
      0,
      String(pageText.length),
    ]);
    expect((await fetch('/', { method: 'DELETE' })).status).toBe(405);
    expect((await fetch('/static/pre.js', { method: 'POST' })).status).toBe(405);
  });

  it('show the page for a form that was meant for the worker', async () => {
    const { fetch } = await setUp();
    const { status, headers } = await fetch('/quick/share?from=app', { method: 'POST' });
    expect([status, headers['location']]).toEqual([303, '/quick/share']);
  });

  it.each(['//evil.example/x', '///evil.example/x', '/.//evil.example/x', '/\\evil.example/x'])(
    'lead from a form at %s to a page of their own origin',
    async (path) => {
      const { fetch } = await setUp();
      const { status, headers } = await fetch(path, { method: 'POST' });
      expect([status, headers['location']]).toEqual([303, '/evil.example/x']);
    },
  );

  it.each([
    '/../secret.txt',
    '/%2e%2e/secret.txt',
    '/..%2fsecret.txt',
    '/static/..%2f..%2fsecret.txt',
    '/%00',
  ])('%s leads nowhere', async (path) => {
    const { fetch } = await setUp();
    const { status, body } = await fetch(path);
    expect([400, 404]).toContain(status);
    expect(body.toString()).not.toContain('secret');
  });

  it.each([
    '/static/..%2findex.html',
    '/static/%2e%2e%2fsw.js',
    '/static/x%2f..%2f..%2findex.html',
  ])('%s is a page, and is served like one', async (path) => {
    const { fetch } = await setUp();
    const { status, headers } = await fetch(path);
    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-security-policy': expect.stringMatching(/frame-ancestors 'none'/),
    });
  });

  it('lead a path that cannot be decoded to the app, which knows where it goes', async () => {
    const { fetch } = await setUp();
    const [page, malformed] = [await fetch('/'), await fetch('/%E0%A4%A')];
    expect([malformed.status, malformed.body]).toEqual([200, page.body]);
  });

  it('lead a path full of dots to the app as fast as another', async () => {
    const { fetch } = await setUp();
    const started = performance.now();
    for (let at = 0; at < 50; at++) {
      expect((await fetch(`/${'.'.repeat(15_000)}/`)).status).toBe(200);
    }
    expect(performance.now() - started).toBeLessThan(1500);
  });

  it('say 404 when the server runs without an app, and health is always there', async () => {
    const { port } = await startBackend();
    expect((await get(port, '/')).status).toBe(404);
    const health = await get(port, '/__/health');
    expect([health.status, JSON.parse(health.body.toString())]).toEqual([200, { status: 'ready' }]);
  });
});
