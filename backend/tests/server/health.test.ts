import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { rawClient } from '../support/clients/raw-client.ts';
import { startBackend } from '../support/servers/start-backend.ts';

/** Makes a request with headers that `fetch` does not allow to set. */
const ask = (port: number, path: string, headers: Readonly<Record<string, string>> = {}) =>
  new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode, body: JSON.parse(text) }));
    })
      .on('error', reject)
      .end();
  });

const publicOrigin = 'https://pawpals.example';

describe('health', () => {
  it('tells a program on this machine numbers and nothing else', async () => {
    const backend = await startBackend({ version: '1.2.3' });
    const client = rawClient(backend);
    await client.account('signUp', { email: 'robin@pawpals.example', password: 'Walkies-4' });
    await backend.firestore.commit([{ set: 'pets/rex', data: { name: 'Rex' } }]);
    expect((await fetch(`${backend.url}/no/page`)).status).toBe(404);
    const { status, body } = await ask(backend.port, '/health');
    expect(status).toBe(200);
    expect(body).toEqual({ status: 'ready', version: '1.2.3', counters: expect.any(Object) });
    expect(body).toMatchObject({
      counters: {
        uptimeSeconds: expect.any(Number),
        residentBytes: expect.any(Number),
        heapBytes: expect.any(Number),
        eventLoopDelayP99Ms: expect.any(Number),
        databaseBytes: expect.any(Number),
        freeDiskBytes: expect.any(Number),
        channelSessions: 0,
        commits: 1,
        'answers.200': 1,
        'answers.404': 1,
      },
    });
    expect(JSON.stringify(body)).not.toMatch(/robin|rex|Rex/);
  });

  it('tells everybody else whether the server is ready, and no more', async () => {
    const { port } = await startBackend({ isBehindProxy: true, publicOrigin, version: '1.2.3' });
    const ready = { status: 200, body: { status: 'ready' } };
    for (const headers of [
      { host: 'pawpals.example' },
      { 'x-forwarded-for': '192.0.2.7' },
      { 'x-forwarded-for': '127.0.0.1' },
      { forwarded: 'for=192.0.2.7' },
      { via: '1.1 proxy' },
    ]) {
      expect(await ask(port, '/health', headers)).toEqual(ready);
    }
    expect(await ask(port, '/__/health')).toEqual(ready);
    expect(await ask(port, '/health')).toMatchObject({ body: { version: '1.2.3' } });
  });
});
