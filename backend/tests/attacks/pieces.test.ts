import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished } from 'vitest';
import type { Exchange } from '../../src/http/exchange.ts';
import { readBody } from '../../src/http/read-body.ts';
import { createResources } from '../../src/limits/resources.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { startBackend } from '../support/servers/start-backend.ts';

/** Sends a body in chunks, and resolves to the status of the answer, or to nothing when the connection is closed before. */
function send(port: number, path: string, { bytes, count }: { bytes: number; count: number }) {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  const status = new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(/(?<= )\d+/.exec(String(data))?.[0] ?? ''));
    socket.once('close', () => resolve(''));
    socket.on('error', () => undefined);
  });
  socket.write(`POST ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`);
  socket.write(`${bytes.toString(16)}\r\n${' '.repeat(bytes)}\r\n`.repeat(count));
  socket.write('0\r\n\r\n');
  return status;
}

it.each([
  ['a query', '/v1/projects/demo-pawpals/databases/(default)/documents:runQuery', '400'],
  ['a sign-up', '/identitytoolkit.googleapis.com/v1/accounts:signUp?key=k', '413'],
  ['a channel', '/google.firestore.v1.Firestore/Listen/channel?VER=8&RID=1', '400'],
  ['a file', '/v0/b/demo-pawpals.appspot.com/o?name=x', '400'],
  ['nothing', '/nothing', '404'],
])('the body of %s is cut if it comes byte by byte', async (_, path, status) => {
  const { port } = await startBackend();
  expect(await send(port, path, { bytes: 1, count: 50_000 })).toBe('');
  expect(await send(port, path, { bytes: 100, count: 3000 })).toBe(status);
});

it.each(['/__/health', '/', '*'])('so is what comes after the answer of %s', async (path) => {
  const { port } = await startBackend({ staticDir: 'public' });
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n`);
  await once(socket, 'data');
  socket.resume().write('1\r\n \r\n'.repeat(50_000));
  await expect.poll(() => socket.closed).toBe(true);
});

const client = { uid: null, address: '198.51.100.1' };

function bodyOf(
  pieces: readonly Buffer[],
  maxBytes: number,
  resources = createResources({ clock: createManualClock() }),
) {
  const lease = { set: () => undefined, release: () => undefined };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rest of an exchange is not used
  const exchange = {
    request: Object.assign(Readable.from(pieces), { headers: {} }),
    resources,
    client,
    take: () => lease,
  } as unknown as Exchange;
  return readBody(exchange, { maxBytes });
}

it('a body keeps nothing else that came over its connection', async () => {
  const received = Buffer.alloc(64 * 1024, 'x');
  const pieces = Array.from({ length: 3 }, (_, at) => received.subarray(at * 100, at * 100 + 100));
  const body = await bodyOf(pieces, 1000);
  expect(body).toEqual({ ok: true, bytes: Buffer.alloc(300, 'x') });
  expect(body.ok && body.bytes.buffer.byteLength).toBeLessThan(received.length);
});

it('a body is the same in whichever pieces it comes', async () => {
  const bytes = randomBytes(200_000);
  const lengths = [0, 1, 3, 20_000, 16_384, 5, 40_000, 16_383, 70_000, 2];
  let at = 0;
  const pieces = [...lengths, bytes.length].map((length) => bytes.subarray(at, (at += length)));
  const own = pieces.map((piece) => Buffer.from(new Uint8Array(piece).buffer));
  const mixed = own.map((piece, index) => (index % 2 === 0 ? piece : (pieces[index] ?? piece)));
  for (const each of [pieces, own, mixed, [bytes]])
    expect(await bodyOf(each, bytes.length)).toEqual({ ok: true, bytes });
  expect(await bodyOf(own, bytes.length - 1)).toEqual({ ok: false, reason: 'too-large' });
});

it('a body waits for a turn after each 64 KiB', async () => {
  const resources = createResources({ clock: createManualClock(), elapsedMs: () => 0 });
  const pieces = Array.from({ length: 8 }, () => Buffer.alloc(32 * 1024, 'x'));
  expect(await bodyOf(pieces, 300_000, resources)).toMatchObject({ ok: true });
  expect(resources.work.usedMs(client)).toBe(1);
});
