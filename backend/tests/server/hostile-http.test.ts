import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fitConnections, openFileLimit } from '../../src/http/guards/connection-limit.ts';
import { startHttpServer } from '../../src/http/http-server.ts';
import { rawClient } from '../support/clients/raw-client.ts';
import { startBackend } from '../support/servers/start-backend.ts';

function dial(port: number): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

/** Sends bytes; resolves to everything that the server answers until it closes the connection. */
async function say(port: number, request: string): Promise<string> {
  const socket = dial(port);
  socket.end(request);
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1]);

async function isHealthy(port: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/__/health`)).ok;
}

const close = 'Host: localhost\r\nConnection: close\r\n';

describe('a request no browser sends', () => {
  it.each([
    ['headers of a megabyte', `GET / HTTP/1.1\r\n${close}X: ${'x'.repeat(1_000_000)}\r\n\r\n`, 431],
    ['ten thousand headers', `GET / HTTP/1.1\r\n${close}${'X: y\r\n'.repeat(10_000)}\r\n`, 431],
    [
      'an address of 100,000 characters',
      `GET /${'x'.repeat(100_000)} HTTP/1.1\r\n${close}\r\n`,
      431,
    ],
    [
      'two opinions of its length',
      `POST /v1/x HTTP/1.1\r\n${close}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    ['a header folded over two lines', `GET / HTTP/1.1\r\n${close}X: a\r\n b\r\n\r\n`, 400],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['another site as its address', `GET http://evil.example/ HTTP/1.1\r\n${close}\r\n`, 400],
    ['a tunnel', `CONNECT evil.example:443 HTTP/1.1\r\n${close}\r\n`, NaN],
    ['what is no HTTP', `${'\0'.repeat(1000)}\r\n\r\n`, 400],
  ])('%s is refused, and harms nobody', async (_name, request, status) => {
    const { port } = await startBackend();
    expect(statusOf(await say(port, request))).toBe(status);
    expect(await isHealthy(port)).toBe(true);
  });

  it.each([
    '/%0d%0aSet-Cookie:%20a=b',
    '/__/health%0d%0aSet-Cookie:%20a=b',
    '/v0/b/demo-pawpals.appspot.com/o/a%0d%0aSet-Cookie:%20a=b?alt=media',
    '/emulator/auth/handler?apiKey=k%0d%0aSet-Cookie:%20a=b&redirectUrl=%0d%0aSet-Cookie:%20a=b',
  ])('%s puts no header into an answer', async (path) => {
    const { port } = await startBackend();
    const [head = ''] = (await say(port, `GET ${path} HTTP/1.1\r\n${close}\r\n`)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 \d{3}/);
    expect(head).not.toMatch(/^set-cookie/im);
  });

  it('a path of thousands of colons takes no time that grows with their square', async () => {
    const { port } = await startBackend();
    const request = `POST /v1/projects/${':'.repeat(15_000)}/ HTTP/1.1\r\n${close}Content-Length: 0\r\n\r\n`;
    const started = performance.now();
    for (let at = 0; at < 20; at++) expect(statusOf(await say(port, request))).toBe(501);
    // With their square it takes six seconds.
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('many requests before the first is answered close the connection', async () => {
    const { port } = await startBackend();
    const request = 'GET /__/health HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const answersTo = async (count: number) =>
      (await say(port, request.repeat(count))).split('HTTP/1.1 200').length - 1;
    expect(await answersTo(5)).toBe(5);
    expect(await answersTo(1000)).toBeLessThanOrEqual(10);
    expect(await isHealthy(port)).toBe(true);
  });

  it('requests that wait for the first answer end with their connection', async () => {
    let [begun, ended] = [0, 0];
    const server = await startHttpServer(
      (_request, response) => {
        begun++;
        response.once('close', () => ended++);
      },
      { port: 0 },
    );
    onTestFinished(() => server.stop());
    const socket = dial(server.port);
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(5));
    await expect.poll(() => begun).toBe(5);
    socket.destroy();
    await expect.poll(() => ended).toBe(5);
  });

  it('an origin with a line break is allowed nothing and repeated nowhere', async () => {
    const { port } = await startBackend();
    const request = `OPTIONS /v1/x HTTP/1.1\r\n${close}Origin: http://localhost\nX-Evil: 1\r\n\r\n`;
    expect(await say(port, request)).not.toMatch(/access-control-allow-origin/i);
  });
});

describe('the number of connections', () => {
  const wanted = { owner: 256, stranger: 256, address: 256, all: 10_000 };

  it.each([
    [Infinity, 10_000, 256],
    [1_048_576, 10_000, 256],
    [1024, 384, 128],
    [200, 75, 25],
  ])('with %s open files is at most %i, and %i of one address', (openFiles, all, address) => {
    expect(fitConnections(wanted, openFiles)).toMatchObject({ all, address });
  });

  it('follows from what the system allows this process', () => {
    // Windows has no such limit.
    expect(openFileLimit() ?? 1).toBeGreaterThan(0);
    expect(fitConnections(wanted).all).toBeGreaterThan(0);
  });
});

describe('a client that is slow or says nothing', () => {
  it('keeps nobody else waiting, however many there are', async () => {
    const backend = await startBackend();
    const silent = Array.from({ length: 300 }, () => dial(backend.port));
    await Promise.all(silent.map((each) => once(each, 'connect')));
    for (const [at, each] of silent.entries()) {
      if (at % 2 === 0)
        each.write(`POST /v1/x HTTP/1.1\r\n${close}Content-Length: 9000000\r\n\r\n{`);
    }
    expect(await isHealthy(backend.port)).toBe(true);
    expect((await rawClient(backend).signUp()).idToken).not.toBe('');
  });

  it('takes no more connections than there are, so that the disk keeps its own', async () => {
    const backend = await startBackend({
      limits: { connections: { owner: 15, stranger: 15, address: 15, all: 15 } },
    });
    const sockets = Array.from({ length: 60 }, () => dial(backend.port));
    const closed = new Set<Socket>();
    for (const each of sockets) {
      each.resume().on('close', () => closed.add(each));
      each.write(`POST /v1/projects/x HTTP/1.1\r\n${close}Content-Length: 9000000\r\n\r\n{`);
    }
    await expect.poll(() => closed.size).toBe(40);
    await backend.firestore.commit([{ set: 'pets/rex', data: { name: 'Rex' } }]);
    for (const each of sockets) each.destroy();
    await expect.poll(() => isHealthy(backend.port).catch(() => false)).toBe(true);
  });

  it.each(['', 'GET / HTTP/1.1\r\nHost:'])(
    'is cut before its head is complete: %j',
    async (head) => {
      const server = await startHttpServer(() => undefined, { port: 0, headMs: 50 });
      onTestFinished(() => server.stop());
      const socket = dial(server.port);
      socket.resume().write(head);
      await once(socket, 'close');
      expect(socket.destroyed).toBe(true);
    },
  );

  it('is cut in the middle of its body when nothing more comes', async () => {
    const server = await startHttpServer((request) => void request.resume(), {
      port: 0,
      stalledMs: 50,
    });
    onTestFinished(() => server.stop());
    const socket = dial(server.port);
    socket.resume().write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{');
    await once(socket, 'close');
    expect(socket.bytesRead).toBe(0);
  });

  it('does not hold up the stop of the server', async () => {
    const backend = await startBackend();
    const sockets = Array.from({ length: 20 }, () => dial(backend.port));
    await Promise.all(sockets.map((each) => once(each, 'connect')));
    const closed = sockets.map(
      (each) => new Promise<void>((resolve) => each.resume().on('close', () => resolve())),
    );
    for (const each of sockets) {
      each.write(`POST /v1/x HTTP/1.1\r\n${close}Content-Length: 9000000\r\n\r\n{`);
    }
    await backend.stop();
    await Promise.all(closed);
    await expect(isHealthy(backend.port)).rejects.toThrow('fetch failed');
  });
});
