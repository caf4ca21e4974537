import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { headersOf, setUpStorage } from '../support/storage-setup.ts';
import {
  storageClient,
  multipartHeaders,
  multipartStart,
} from '../support/clients/storage-client.ts';
import { md5, noise } from '../support/clients/storage-user.ts';

describe('uploads by plain fetch', () => {
  it('in one request, with metadata or without', async () => {
    const { client } = await setUpStorage();
    const first = await client.multipart('a', { contentType: 'audio/mp4' }, 'hello');
    expect([first.status, await first.json()]).toMatchObject([
      200,
      {
        name: client.nameOf('a'),
        bucket: 'demo-pawpals.appspot.com',
        contentType: 'audio/mp4',
        size: '5',
        md5Hash: 'XUFAKrxLKna5cZ2REBfFkg==',
        storageClass: 'STANDARD',
        downloadTokens: expect.stringMatching(/^[0-9a-f-]{36}$/),
      },
    ]);
    const second = await client.upload('b', noise(1000), 'audio/webm');
    expect(await second.json()).toMatchObject({ contentType: 'audio/webm', size: '1000' });
  });

  it('in pieces, asked in between, finished twice', async () => {
    const { client } = await setUpStorage();
    const bytes = noise(700_000);
    const { response, url } = await client.start('a', bytes.length, { contentType: 'audio/webm' });
    expect(headersOf(response)).toMatchObject({
      'x-goog-upload-status': 'active',
      'x-goog-upload-url': expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/v0\/b\/.*upload_id=/),
    });
    const cut = 262_144;
    await client.command(url, 'upload', { offset: 0, body: bytes.slice(0, cut) });
    const state = await client.command(url, 'query');
    expect(headersOf(state)).toMatchObject({
      'x-goog-upload-status': 'active',
      'x-goog-upload-size-received': String(cut),
    });
    const wrong = await client.command(url, 'upload', { offset: 0, body: bytes.slice(0, cut) });
    expect([wrong.status, wrong.headers.get('x-goog-upload-size-received')]).toEqual([
      400,
      String(cut),
    ]);
    const last = { offset: cut, body: bytes.slice(cut) };
    const done = await client.command(url, 'upload, finalize', last);
    expect(done.headers.get('x-goog-upload-status')).toBe('final');
    const metadata: unknown = await done.json();
    expect(metadata).toMatchObject({ md5Hash: md5(bytes), size: '700000' });
    // The client repeats the request, as after a lost answer.
    const again = await client.command(url, 'upload, finalize', last);
    expect(await again.json()).toEqual(metadata);
    expect((await client.command(url, 'query')).headers.get('x-goog-upload-status')).toBe('final');
  });

  it('a connection that breaks leaves nothing, or what a resumed upload goes on from', async () => {
    const { backend, client, dataDir } = await setUpStorage();
    const parts = () => readdir(join(dataDir, 'files', 'parts'));
    const { url } = await client.start('a', 1_000_000);
    const breaking = (path: string, headers: Record<string, string>, start = '') => {
      const socket = connect(backend.port, '127.0.0.1');
      const lines = Object.entries({ ...headers, Authorization: `Firebase ${client.idToken}` });
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`,
      );
      socket.write(Buffer.concat([Buffer.from(start), noise(300_000)]));
      return socket;
    };
    const { pathname, search } = new URL(url);
    const resumed = breaking(pathname + search, {
      'X-Goog-Upload-Command': 'upload, finalize',
      'X-Goog-Upload-Offset': '0',
    });
    await eventually(async () => expect(await parts()).toHaveLength(1));
    const upload = new URL(client.uploadUrl('b'));
    const single = breaking(upload.pathname + upload.search, multipartHeaders, multipartStart({}));
    await eventually(async () => expect(await parts()).toHaveLength(2));
    resumed.destroy();
    single.destroy();
    await eventually(async () => expect(await parts()).toHaveLength(1));
    const state = await client.command(url, 'query');
    expect(state.headers.get('x-goog-upload-status')).toBe('active');
    const received = Number(state.headers.get('x-goog-upload-size-received'));
    const bytes = new Uint8Array(1_000_000);
    bytes.set(noise(300_000));
    const body = bytes.slice(received);
    const done = await client.command(url, 'upload, finalize', { offset: received, body });
    expect(await done.json()).toMatchObject({ md5Hash: md5(bytes) });
    expect(backend.storage.list({ prefix: '' }).objects.map(({ name }) => name)).toEqual([
      client.nameOf('a'),
    ]);
  });

  it('a body that stops coming is cut off after a minute, and can be resumed', async () => {
    const clock = createManualClock(Date.now());
    const { client } = await setUpStorage({ clock });
    const { url } = await client.start('a', 10);
    let send: ReadableStreamDefaultController<Uint8Array> | undefined;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        send = controller;
        controller.enqueue(Buffer.from('hello'));
      },
    });
    const options = { method: 'POST', body, duplex: 'half' } as const;
    const headers = { 'X-Goog-Upload-Command': 'upload', 'X-Goog-Upload-Offset': '0' };
    let isOver = false;
    const request = client.send(url, { ...options, headers }).then(
      () => (isOver = true),
      () => (isOver = true),
    );
    await eventually(() => {
      clock.advance(30_000);
      expect(isOver).toBe(true);
    });
    await request;
    send?.close();
    const state = await client.command(url, 'query');
    expect(state.headers.get('x-goog-upload-size-received')).toBe('5');
  });

  const command = 'X-Goog-Upload-Command';
  it.each([
    { what: 'no name', query: '' },
    { what: 'an empty name', query: '?name=' },
    { what: 'a line break in the name', query: '?name=a%0Ab' },
    { what: 'broken metadata', headers: { [command]: 'start' } },
    { what: 'an unknown command', id: 'x', headers: { [command]: 'dance' } },
    { what: 'an unknown upload', id: 'x', headers: { [command]: 'query' }, status: 404 },
    { what: 'no offset', id: 'x', headers: { [command]: 'upload' } },
    {
      what: 'an offset that is no number',
      id: 'x',
      headers: { [command]: 'upload', 'X-Goog-Upload-Offset': '-1' },
    },
    { what: 'a multipart body that is none', headers: { 'X-Goog-Upload-Protocol': 'multipart' } },
  ])('$what is refused', async ({ query, id, headers = {}, status = 400 }) => {
    const { client, backend, lines } = await setUpStorage();
    const url = query === undefined ? client.uploadUrl('a') : client.base + query;
    const response = await client.send(id === undefined ? url : `${url}&upload_id=${id}`, {
      method: 'POST',
      body: 'body',
      headers: { ...headers },
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error: { code: status } });
    expect(backend.storage.list({ prefix: '' }).objects).toEqual([]);
    expect(lines).toEqual([]);
  });

  it('what is too large is refused, at the start or while it comes', async () => {
    const { client, backend } = await setUpStorage({ limits: { maxUploadBytes: 1_000_000 } });
    expect((await client.start('a', 1_000_001)).response.status).toBe(413);
    expect((await client.upload('a', noise(1_000_001))).status).toBe(413);
    const { url } = await client.start('a');
    const piece = { offset: 0, body: noise(1_000_001) };
    expect((await client.command(url, 'upload, finalize', piece)).status).toBe(413);
    expect((await client.upload('b', noise(1_000_000))).status).toBe(200);
    expect(backend.storage.list({ prefix: '' }).objects).toHaveLength(1);
  });
});

it('an upload in tiny pieces costs its owner work, and nobody else', async () => {
  const clock = createManualClock(Date.now());
  const { backend, client } = await setUpStorage({
    clock,
    limits: { work: { burst: 100, everyMs: 1 } },
  });
  const other = await storageClient(backend);
  const { url } = await client.start('a', 1000, {});
  const piece = async (offset: number) =>
    (await client.command(url, 'upload', { offset, body: 'x' })).status;
  let sent = 0;
  while (sent < 150 && (await piece(sent)) === 200) sent++;
  expect(sent).toBeLessThan(100);
  expect(await piece(sent)).toBe(429);
  expect((await other.upload('b', 'x')).status).toBe(200);
  clock.advance(60_000);
  expect(await piece(sent)).toBe(200);
});
