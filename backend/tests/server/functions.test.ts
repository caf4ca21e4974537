import { request as httpRequest } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { HttpFunction } from '../../src/http/function-route.ts';
import { defaultLimits } from '../../src/limits/defaults.ts';
import { eventually } from '../support/eventually.ts';
import { startBackend } from '../support/servers/start-backend.ts';

async function setUp(run: HttpFunction) {
  const logged: string[] = [];
  const error = (event: string) => void logged.push(event);
  const log = { info: () => undefined, warn: () => undefined, error };
  const { port } = await startBackend({ httpFunctions: { '/api/echo': run }, log });
  const origin = `http://localhost:${port}`;
  return { origin, port, logged, url: `${origin}/api/echo` };
}

describe('an HTTP function', () => {
  it('gets the request as it was sent, and its answer is the answer', async () => {
    const { url } = await setUp(async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      const seen = {
        method: request.method,
        url: request.url,
        authorization: request.headers.get('authorization'),
        bytes: [...bytes],
      };
      return Response.json(seen, { status: 201, headers: { 'X-Words': '3' } });
    });
    const answer = await fetch(`${url}?lang=en`, {
      method: 'POST',
      body: new Uint8Array([0, 255, 128]),
      headers: { Authorization: 'Bearer token' },
    });
    expect(answer.status).toBe(201);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'x-words': '3',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
    });
    expect(await answer.json()).toEqual({
      method: 'POST',
      url: 'http://localhost/api/echo?lang=en',
      authorization: 'Bearer token',
      bytes: [0, 255, 128],
    });
  });

  it('may set several cookies, and replaces headers of the server', async () => {
    const { url } = await setUp(() => {
      const headers = new Headers({ 'Cache-Control': 'max-age=1', Vary: 'A' });
      for (const cookie of ['a=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT', 'b=2']) {
        headers.append('Set-Cookie', cookie);
      }
      headers.append('Vary', 'B');
      return new Response('here', { headers });
    });
    const { headers } = await fetch(url);
    expect(headers.getSetCookie()).toEqual(['a=1; Expires=Thu, 01 Jan 2099 00:00:00 GMT', 'b=2']);
    expect([headers.get('cache-control'), headers.get('vary')]).toEqual(['max-age=1', 'A, B']);
  });

  it('answers one method of a path of the app', async () => {
    const httpFunctions = { 'POST /': () => new Response('here') };
    const { port } = await startBackend({ httpFunctions });
    const at = async (method: string, path: string) =>
      (await fetch(`http://localhost:${port}${path}`, { method })).text();
    expect([await at('POST', '/'), await at('POST', '/x')]).toEqual(['here', 'Not found']);
    expect([await at('GET', '/'), await at('PUT', '/')]).toEqual(['Not found', 'Not found']);
  });

  it('answers its own path and no other', async () => {
    const { origin, url } = await setUp(() => new Response('here'));
    expect(await (await fetch(url)).text()).toBe('here');
    for (const path of ['/api/echo/', '/api/echo/more', '/api', '/api/toString', '/echo']) {
      expect([path, (await fetch(origin + path)).status]).toEqual([path, 404]);
    }
    const head = await fetch(url, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch(url, { method: 'OPTIONS' })).status).toBe(204);
  });

  it('never sees a body over the limit', async () => {
    let runs = 0;
    const { url } = await setUp(async (request) => {
      runs += 1;
      return new Response(String((await request.arrayBuffer()).byteLength));
    });
    const post = (bytes: number) => fetch(url, { method: 'POST', body: new Uint8Array(bytes) });
    const large = await post(defaultLimits.requestBytes + 1);
    expect([large.status, runs]).toEqual([413, 0]);
    expect(await (await post(defaultLimits.requestBytes)).text()).toBe(
      String(defaultLimits.requestBytes),
    );
  });

  it('is closed to pages of other origins', async () => {
    let runs = 0;
    const { url } = await setUp(() => new Response(String((runs += 1))));
    const foreign = await fetch(url, { headers: { Origin: 'https://evil.example' } });
    expect([foreign.status, runs]).toEqual([403, 0]);
  });

  it('that throws answers 500 without the reason', async () => {
    const { url, logged } = await setUp(() => {
      throw new Error('the secret');
    });
    const answer = await fetch(url);
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
    expect(logged).toEqual(['request failed']);
  });

  it('is told when the client goes away', async () => {
    let isAborted = false;
    const { port, logged } = await setUp(
      (request) =>
        new Promise<Response>((resolve) => {
          request.signal.addEventListener('abort', () => {
            isAborted = true;
            resolve(new Response('late'));
          });
          sent.destroy();
        }),
    );
    const sent = httpRequest({ port, path: '/api/echo' });
    sent.on('error', () => undefined);
    sent.end();
    await eventually(() => expect(isAborted).toBe(true));
    expect(logged).toEqual([]);
  });
});
