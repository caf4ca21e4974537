import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { get } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { BackendOptions } from '../../src/server.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

const channel = '/google.firestore.v1.Firestore/Listen/channel?RID=1';

async function setUp(options: Partial<BackendOptions> = {}) {
  const staticDir = join(await tempFolder(), 'dist');
  await mkdir(staticDir);
  await writeFile(join(staticDir, 'index.html'), '<!doctype html>');
  const { port } = await startBackend({ staticDir, ...options });
  /** Resolves to the head of the answer to a request with exactly these headers. */
  const ask = async (path: string, ...headers: readonly string[]) => {
    const socket = connect(port, '127.0.0.1');
    socket.write([`GET ${path} HTTP/1.1`, ...headers, 'Connection: close', '', ''].join('\r\n'));
    let answer = '';
    for await (const chunk of socket) answer += String(chunk);
    const [head = ''] = answer.split('\r\n\r\n');
    return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]), head };
  };
  return { ask, port };
}

describe('a foreign name that resolves to this machine', () => {
  it('is refused everywhere, with and without an origin of the same name', async () => {
    const { ask, port } = await setUp();
    const host = `Host: evil.example:${port}`;
    for (const path of ['/', '/__/health', '/v1/projects/x', channel, '/emulator/auth/handler']) {
      expect([path, (await ask(path, host)).status]).toEqual([path, 421]);
      const origin = `Origin: http://evil.example:${port}`;
      const { status, head } = await ask(path, host, origin);
      expect([path, status]).toEqual([path, 421]);
      expect(head).not.toMatch(/access-control-allow-origin/i);
    }
  });

  it('leaves this machine, addresses and the public origin as they are', async () => {
    const publicOrigin = 'https://pawpals.example';
    const { ask, port } = await setUp({ publicOrigin });
    for (const name of ['localhost', '127.0.0.1', '[::1]', 'pawpals.example', '192.0.2.7']) {
      expect([name, (await ask('/', `Host: ${name}:${port}`)).status]).toEqual([name, 200]);
    }
  });

  it('does not keep out the public origin behind a proxy that sends a host of its own', async () => {
    const publicOrigin = 'https://pawpals.example';
    const { ask, port } = await setUp({ publicOrigin, isBehindProxy: true });
    const headers = [`Host: 127.0.0.1:${port}`, `Origin: ${publicOrigin}`];
    expect((await ask('/v1/projects/x', ...headers)).status).not.toBe(403);
  });
});

it('a request with two hosts is refused', async () => {
  const { ask } = await setUp();
  expect((await ask('/', 'Host: localhost', 'Host: evil.example')).status).toBe(400);
  expect((await ask('/', 'Host: localhost', 'host: localhost')).status).toBe(400);
});

describe('strict transport security', () => {
  it('is asked for where owners know the app by https, and never for this machine', async () => {
    const { ask } = await setUp({ publicOrigin: 'https://pawpals.example' });
    const hsts = /^strict-transport-security: max-age=31536000$/im;
    expect((await ask('/', 'Host: pawpals.example')).head).toMatch(hsts);
    expect((await ask('/__/health', 'Host: pawpals.example')).head).toMatch(hsts);
    expect((await ask('/', 'Host: localhost')).head).not.toMatch(/^strict-transport/im);
    expect((await (await setUp()).ask('/', 'Host: 192.0.2.7')).head).not.toMatch(/^strict/im);
  });

  it('is asked for over TLS, and not for localhost, whose other ports it would break', async () => {
    const folder = new URL('../../../tests/fixtures/tls/', import.meta.url);
    const cert = await readFile(new URL('localhost-cert.pem', folder), 'utf8');
    const key = await readFile(new URL('localhost-key.pem', folder), 'utf8');
    const { port } = await startBackend({ tls: { cert, key } });
    const ask = (host: string) =>
      new Promise<unknown>((resolve, reject) => {
        const options = { ca: cert, port, path: '/__/health', headers: { host }, agent: false };
        get({ ...options, servername: 'localhost' }, ({ headers }) =>
          resolve(headers['strict-transport-security']),
        ).on('error', reject);
      });
    expect(await ask('pawpals.lan')).toBe('max-age=31536000');
    expect(await ask('localhost')).toBeUndefined();
  });
});
