import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { connect, constants } from 'node:http2';
import { get } from 'node:https';
import { join } from 'node:path';
import { connect as tlsConnect } from 'node:tls';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  multipartEnd,
  multipartHeaders,
  multipartStart,
} from '../support/clients/storage-client.ts';
import { limitStreams } from '../../src/http/guards/stream-limit.ts';
import { startHttpServer } from '../../src/http/http-server.ts';
import { parseJson } from '../../src/json.ts';
import type { BackendOptions } from '../../src/server.ts';
import { readWhole } from '../support/test-exchange.ts';
import { h2Client, type H2Client } from '../support/clients/h2-client.ts';
import { framesOfAnswer, sendResetRequests } from '../support/clients/h2-frames.ts';
import { encodeForward } from '../support/clients/web-channel.ts';
import { testPassword, newEmail } from '../support/clients/sdk-user.ts';
import { createRandom } from '../fuzz/random.ts';
import { int, setWrite } from '../support/firestore-json.ts';
import { openRules } from '../support/rules-fixture.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { testTls } from '../support/servers/test-tls.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { databaseNames } from '../support/test-database.ts';

const documentsPath = '/v1/projects/demo-pawpals/databases/(default)/documents';
const channel = '/google.firestore.v1.Firestore/Listen/channel';
const files = '/v0/b/demo-pawpals.appspot.com/o';

async function setUp(options: Partial<BackendOptions> = {}) {
  const logged: string[] = [];
  const error = (event: string) => void logged.push(event);
  const log = { info: () => undefined, warn: () => undefined, error };
  const staticDir = join(await tempFolder(), 'dist');
  await mkdir(staticDir);
  await writeFile(join(staticDir, 'index.html'), '<!doctype html><title>PawPals</title>');
  const tls = await testTls();
  const backend = await startBackend({
    tls,
    staticDir,
    firestoreRules: openRules,
    log,
    ...options,
  });
  return { backend, logged, tls, staticDir, client: await h2Client(backend.port) };
}

const jsonOf = ({ body }: { body: string }): unknown => {
  const json = parseJson(body);
  return json.ok ? json.value : body;
};

async function signUp(client: H2Client): Promise<{ authorization: string; uid: string }> {
  const body = JSON.stringify({ email: newEmail(), password: testPassword });
  const path = '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k';
  const answer = jsonOf(await client.ask(path, { body }));
  expect(answer).toMatchObject({ idToken: expect.any(String), localId: expect.any(String) });
  const { idToken, localId } = Object(answer);
  return { authorization: `Bearer ${String(idToken)}`, uid: String(localId) };
}

/** Opens a session that listens to a document; resolves to the path of its back channels. */
async function openListen(client: H2Client, authorization: string, path: string): Promise<string> {
  const { database } = databaseNames;
  const documents = { documents: [databaseNames.toName(path)] };
  const body = encodeForward(
    [{ database, addTarget: { targetId: 2, documents } }],
    0,
    authorization.replace('Bearer ', ''),
  );
  const { body: greeting } = await client.ask(`${channel}?VER=8&RID=1`, { body });
  const sid = /\["c","([^"]+)"/.exec(greeting)?.[1] ?? '';
  return `${channel}?VER=8&RID=rpc&SID=${sid}&AID=0&CI=0`;
}

describe('over HTTP/2', () => {
  it('every kind of route answers', async () => {
    const { backend, client, logged } = await setUp({
      httpFunctions: {
        '/api/echo': async (request) =>
          new Response(
            `${request.url} ${[...request.headers.keys()].join()} ${await request.text()}`,
          ),
      },
    });
    expect(client.session.alpnProtocol ?? 'h2').toBe('h2');
    expect(await client.ask('/')).toMatchObject({
      status: 200,
      body: expect.stringMatching(/Paw/),
    });
    expect((await client.ask('/__/health')).status).toBe(200);
    expect((await client.ask('/nothing.js')).status).toBe(404);
    const { authorization } = await signUp(client);
    const commit = JSON.stringify({ writes: [setWrite('pets/rex', { n: int(1) })] });
    const headers = { authorization };
    expect((await client.ask(`${documentsPath}:commit`, { body: commit, headers })).status).toBe(
      200,
    );
    expect(backend.firestore.get('pets/rex')).toEqual({ n: 1 });
    const asked = JSON.stringify({ documents: [databaseNames.toName('pets/rex')] });
    const read = await client.ask(`${documentsPath}:batchGet`, { body: asked, headers });
    expect(jsonOf(read)).toMatchObject([{ found: { fields: { n: { integerValue: '1' } } } }]);
    const echo = await client.ask('/api/echo?a=b', { body: 'hello', headers: { 'x-more': '1' } });
    expect(echo.body).toBe('http://localhost/api/echo?a=b host,x-more hello');
    expect(logged).toEqual([]);
  });

  it('a function gets and sets several cookies', async () => {
    const run = (request: Request) => {
      const cookies = [request.headers.get('cookie') ?? '', 'b=2'];
      return new Response('', { headers: cookies.map((each) => ['Set-Cookie', each]) });
    };
    const { client } = await setUp({ httpFunctions: { '/api/cookies': run } });
    // Browsers send each cookie in a field of its own.
    const answer = await client.ask('/api/cookies', { headers: { cookie: ['x=1', 'y=2'] } });
    expect(answer.headers['set-cookie']).toEqual(['x=1; y=2', 'b=2']);
  });

  it('a request without a body is answered in full, and not asked to stop', async () => {
    const { backend } = await setUp();
    const preflight = {
      ':method': 'OPTIONS',
      ':authority': `localhost:${backend.port}`,
      ':scheme': 'https',
      ':path': `${documentsPath}:batchGet`,
      origin: 'http://localhost:1234',
      'access-control-request-method': 'POST',
    };
    expect(await framesOfAnswer(backend.port, preflight)).toEqual(['HEADERS']);
  });

  it.each(['constructor', '__proto__'])('a header %s is one as any other', async (name) => {
    const { client, logged } = await setUp();
    const headers = Object.fromEntries([[name, 'x']]);
    expect((await client.ask('/__/health', { headers })).status).toBe(200);
    expect(logged).toEqual([]);
  });

  it('a connection on which a body comes byte by byte is cut', async () => {
    const { backend } = await setUp();
    const session = connect(`https://localhost:${backend.port}`, { rejectUnauthorized: false });
    session.on('error', () => undefined);
    const stream = session.request({ ':method': 'POST', ':path': `${documentsPath}:runQuery` });
    stream.on('error', () => undefined);
    for (let at = 0; at < 5000 && !session.destroyed; at++) {
      await new Promise((resolve) => void stream.write(' ', resolve));
    }
    expect(session.destroyed).toBe(true);
  });

  it('files are uploaded in one request and in pieces, and read in parts', async () => {
    const { backend, client, logged } = await setUp();
    const { authorization, uid } = await signUp(client);
    await backend.firestore.commit([{ set: 'pets/rex', data: { ownerId: uid } }]);
    const name = encodeURIComponent('pets/rex/a');
    const headers = { authorization };
    const body = `${multipartStart({})}bark and whine${multipartEnd}`;
    const asked = { body, headers: { ...headers, ...multipartHeaders } };
    const upload = await client.ask(`${files}?name=${name}`, asked);
    expect(upload.status).toBe(200);
    const part = { ...headers, range: 'bytes=5-7' };
    const read = await client.ask(`${files}/${name}?alt=media`, { headers: part });
    expect([read.status, read.body]).toEqual([206, 'and']);

    const start = await client.ask(`${files}?name=${name}`, {
      body: '{}',
      headers: {
        ...headers,
        'x-goog-upload-protocol': 'resumable',
        'x-goog-upload-command': 'start',
      },
    });
    const url = new URL(String(start.headers['x-goog-upload-url']));
    expect(url.origin).toBe(`https://localhost:${backend.port}`);
    const command = { 'x-goog-upload-command': 'upload, finalize', 'x-goog-upload-offset': '0' };
    const piece = { body: 'growl', headers: { ...headers, ...command } };
    expect((await client.ask(url.pathname + url.search, piece)).status).toBe(200);
    const stored = await backend.storage.read('pets/rex/a');
    expect(Buffer.from(stored ?? '').toString()).toBe('growl');
    expect(logged).toEqual([]);
  });

  it('more sessions than HTTP/1.1 has connections answer at once, and are told of a commit', async () => {
    const { backend, client } = await setUp();
    const { authorization } = await signUp(client);
    const open = async () => {
      const path = await openListen(client, authorization, 'pets/rex');
      const stream = client.session.request({ ':path': path });
      let received = '';
      stream.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
      onTestFinished(() => void stream.destroy());
      return () => received;
    };
    const channels = await Promise.all(Array.from({ length: 20 }, open));
    await expect.poll(() => channels.every((each) => each().includes('CURRENT'))).toBe(true);
    await backend.firestore.commit([{ set: 'pets/rex', data: { name: 'Rex' } }]);
    await expect.poll(() => channels.every((each) => each().includes('"Rex"'))).toBe(true);
  });

  it('a session keeps what nobody reads once, however often it is asked for', async () => {
    const { backend, client, tls } = await setUp();
    const { authorization } = await signUp(client);
    const read = await openListen(client, authorization, 'pets/rex');
    await backend.firestore.commit([{ set: 'pets/rex', data: { text: 'x'.repeat(900_000) } }]);
    const slow = connect(`https://localhost:${backend.port}`, {
      ca: tls.cert,
      settings: { initialWindowSize: 0 },
    });
    onTestFinished(() => slow.destroy());
    await once(slow, 'remoteSettings');
    const asked = Array.from({ length: 10 }, () => slow.request({ ':path': read }));
    const closed = asked.map((stream) =>
      once(
        stream.on('error', () => undefined),
        'close',
      ),
    );
    await Promise.all(closed.slice(0, -1));
    expect(asked.map((stream) => stream.closed)).toEqual([...Array(9).fill(true), false]);
    expect((await client.ask('/__/health')).status).toBe(200);
    const stream = client.session.request({ ':path': read });
    onTestFinished(() => void stream.destroy());
    let received = 0;
    stream.on('data', (chunk: Buffer) => (received += chunk.length));
    await expect.poll(() => received).toBeGreaterThan(900_000);
  });

  it('large files are charged while nobody reads them', async () => {
    const answerBytes = { owner: 300_000, stranger: 300_000, address: 1e6, all: 1e6 };
    const { backend, client, staticDir, tls } = await setUp({ limits: { answerBytes } });
    await mkdir(join(staticDir, 'static'));
    await writeFile(join(staticDir, 'static', 'a-1.bin'), Buffer.alloc(200_000));
    const slow = connect(`https://localhost:${backend.port}`, {
      ca: tls.cert,
      settings: { initialWindowSize: 0 },
    });
    onTestFinished(() => slow.destroy());
    const first = slow.request({ ':path': '/static/a-1.bin' });
    await once(first, 'response');
    const ask = async () => (await client.ask('/static/a-1.bin')).status;
    expect(await ask()).toBe(429);
    first.on('error', () => undefined).close(constants.NGHTTP2_CANCEL);
    await expect.poll(ask).toBe(200);
  });

  it('HTTP/1.1 is spoken to who speaks nothing else', async () => {
    const { backend, tls } = await setUp();
    const options = { ca: tls.cert, port: backend.port, path: '/__/health', agent: false };
    const version = new Promise<string>((resolve, reject) => {
      get(options, (response) => resolve(response.resume().httpVersion)).on('error', reject);
    });
    expect(await version).toBe('1.1');
  });

  it('a request with two hosts is refused', async () => {
    const { client } = await setUp();
    const headers = { ':authority': 'localhost', host: 'evil.example' };
    expect((await client.ask('/', { headers })).status).toBe(400);
  });
});

describe('a client of HTTP/2 that breaks off', () => {
  it('in the middle of a file stores nothing', async () => {
    const { backend, client } = await setUp();
    const { authorization, uid } = await signUp(client);
    await backend.firestore.commit([{ set: 'pets/rex', data: { ownerId: uid } }]);
    const path = `${files}?name=${encodeURIComponent('pets/rex/a')}`;
    const broken = client.begin(path, { authorization, ...multipartHeaders });
    broken.write(`${multipartStart({})}half of it`);
    await client.ask('/__/health');
    client.session.destroy();
    await once(broken, 'close');
    const other = await h2Client(backend.port);
    await other.ask('/__/health');
    expect(backend.storage.get('pets/rex/a')).toBeNull();
  });

  it('is told from one that has sent everything', async () => {
    const outcomes: unknown[] = [];
    const server = await startHttpServer(
      (request, response) =>
        void readWhole(request, response).then((body) => response.end(String(outcomes.push(body)))),
      { port: 0, tls: await testTls() },
    );
    onTestFinished(() => server.stop());
    const client = await h2Client(server.port);
    const broken = client.begin('/');
    broken.write('ba');
    await client.ask('/', { body: 'bark' });
    broken.destroy();
    await expect.poll(() => outcomes.length).toBe(2);
    expect(outcomes).toEqual([
      { ok: true, bytes: Buffer.from('bark') },
      { ok: false, reason: 'aborted' },
    ]);
  });

  it('is cut when nothing more comes, and keeps what else is on its connection', async () => {
    const server = await startHttpServer(
      (request, response) => void readWhole(request, response).then(() => response.end('read')),
      { port: 0, tls: await testTls(), stalledMs: 500 },
    );
    onTestFinished(() => server.stop());
    const client = await h2Client(server.port);
    const stalled = client.begin('/');
    stalled.resume().write('ba');
    const closed = once(stalled, 'close');
    const others = async () => {
      for (; !stalled.closed;) expect((await client.ask('/', { body: 'x' })).body).toBe('read');
    };
    await Promise.all([closed, others()]);
  });

  it('is cut when it has to yield to others, also while its body is read', async () => {
    const requests = { owner: 9, stranger: 9, address: 9, all: 2 };
    const { client } = await setUp({ isBehindProxy: true, limits: { requests } });
    const from = (at: number) => ({ 'x-forwarded-for': `198.51.100.${at}` });
    const stalled = [1, 1].map(() => client.begin(`${documentsPath}:commit`, from(1)));
    const closed = Promise.race(stalled.map((each) => once(each.resume(), 'close')));
    for (const each of stalled) each.write('{');
    expect((await client.ask('/__/health', { headers: from(2) })).status).toBe(200);
    await closed;
    expect(stalled.filter((each) => each.closed)).toHaveLength(1);
  });

  it('is refused with a head of more than 16 KiB, as over HTTP/1.1', async () => {
    const { client } = await setUp();
    const headers = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`x-${at}`, 'y'.repeat(1000)]));
    expect((await client.ask('/__/health', { headers: headers(14) })).status).toBe(200);
    await expect(client.ask('/__/health', { headers: headers(17) })).rejects.toThrow(
      'NGHTTP2_ENHANCE_YOUR_CALM',
    );
  });

  it('harms nobody with frames that no client sends', async () => {
    const { backend, client, tls } = await setUp();
    const random = createRandom(1);
    const frame = (): Buffer => {
      const payload = Buffer.from(
        Array.from({ length: random.below(40) }, () => random.below(256)),
      );
      const head = Buffer.alloc(9);
      head.writeUIntBE(payload.length + random.pick([0, 0, 0, 1, 100_000]), 0, 3);
      head.writeUInt8(random.below(12), 3);
      head.writeUInt8(random.below(256), 4);
      head.writeUInt32BE(random.pick([0, 1, 1, 2, 3, 2 ** 31 - 1]), 5);
      return Buffer.concat([head, payload]);
    };
    for (let at = 0; at < 300; at++) {
      const options = { port: backend.port, ca: tls.cert, ALPNProtocols: ['h2'] };
      const socket = tlsConnect({ ...options, servername: 'localhost' });
      socket.on('error', () => undefined).resume();
      socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
      socket.write(Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]));
      socket.end(Buffer.concat(Array.from({ length: 1 + random.below(8) }, frame)));
      await once(socket, 'close');
    }
    expect((await client.ask('/__/health')).status).toBe(200);
  });

  it('is not handled, and its connection closed, after many others in the same turn, unless it is a proxy', async () => {
    let [handled, isProxy] = [0, false];
    const server = await startHttpServer(
      (_request, response) => {
        handled += 1;
        response.end('here');
      },
      {
        port: 0,
        tls: await testTls(),
        onCreated: (created) => limitStreams(created, () => isProxy),
      },
    );
    onTestFinished(() => server.stop());
    const socket = await sendResetRequests(server.port, 900);
    await once(socket, 'close');
    expect(handled).toBeLessThan(900);
    const client = await h2Client(server.port);
    expect((await client.ask('/')).body).toBe('here');

    [handled, isProxy] = [0, true];
    const ofMany = await sendResetRequests(server.port, 900);
    await expect.poll(() => handled).toBe(900);
    ofMany.destroy();
  });

  it('does not hold up the stop of the server', async () => {
    const { backend, client } = await setUp();
    const streams = Array.from({ length: 20 }, () => client.begin(`${documentsPath}:commit`));
    for (const each of streams) each.resume().write('{');
    await client.ask('/__/health');
    await backend.stop();
    await expect.poll(() => client.session.closed).toBe(true);
  });
});
