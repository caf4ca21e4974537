import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { connect, Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rawChannel } from '../support/clients/raw-channel.ts';
import { bearer, rawClient } from '../support/clients/raw-client.ts';
import { channelPath } from '../support/clients/web-channel.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { setWrite, str, structuredQuery } from '../support/firestore-json.ts';
import { spawnBackend } from '../support/servers/backend-process.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** These attacks make the server hold more and more memory: S1, S2 and S8. */
const mib = 1024 * 1024;

async function setUp(options: Parameters<typeof startBackend>[0] = {}) {
  const clock = createManualClock(Date.now());
  const backend = await startBackend({ clock, ...options });
  const client = rawClient(backend);
  const [attacker, owner] = [await client.signUp(), await client.signUp()];
  const write = () =>
    client.firestore(
      'commit',
      { writes: [setWrite('pets/rex', { ownerId: str(owner.uid) })] },
      owner.idToken,
    );
  return { backend, client, clock, attacker, owner, write };
}

function dial(port: number, head: readonly string[], body = ''): Socket {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  socket.write(`${head.join('\r\n')}\r\nHost: localhost\r\n\r\n${body}`);
  return socket;
}

/** Returns how many connections the server in this process has received that many bytes of, from now on. */
function watchReceived(): (bytes: number) => number {
  const sockets = new Set<Socket>();
  const onRequest = (message: unknown): void => {
    const isRequest = typeof message === 'object' && message !== null && 'socket' in message;
    if (isRequest && message.socket instanceof Socket) sockets.add(message.socket);
  };
  subscribe('http.server.request.start', onRequest);
  onTestFinished(() => void unsubscribe('http.server.request.start', onRequest));
  return (bytes) => [...sockets].filter(({ bytesRead }) => bytesRead >= bytes).length;
}

/** Resolves with the head of the answer, or with nothing when the connection is closed. */
const answerOf = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.once('data', (data) => resolve(String(data)));
    socket.once('close', () => resolve(''));
  });

describe('S1: requests of a channel that are never due', () => {
  it('are not kept without a sign-in, and others go on', async () => {
    const { client, write } = await setUp();
    const large = '"x'.padEnd(57 * mib, 'x');
    const listen = rawChannel(client, 'Listen');
    const gaps = Array.from({ length: 4 }, () =>
      listen.forward('VER=8&RID=1', [large], { offset: 1 }),
    );
    expect((await write()).status).toBe(200);
    const answers = await Promise.all(gaps);
    expect(answers.map(({ status }) => status)).toEqual([413, 413, 413, 413]);
  });

  it('are kept for an owner up to a limit, over all of their sessions', async () => {
    const { client, attacker, write } = await setUp({
      limits: { channelBytes: { owner: 4 * mib, stranger: mib, address: 64 * mib, all: 64 * mib } },
    });
    const channel = rawChannel(client, 'Write');
    const held = JSON.stringify('x'.repeat(mib));
    const sessions = await Promise.all(
      Array.from({ length: 8 }, () => channel.open([{}], attacker.idToken)),
    );
    await Promise.all(sessions.map((each) => each.next()));
    for (const each of sessions) await each.post(2, held);
    const alive = await Promise.all(
      sessions.map(async (each) => (await each.post(9, '{}')).status),
    );
    expect(alive.filter((status) => status === 200).length).toBeLessThanOrEqual(4);
    expect(alive.filter((status) => status === 400).length).toBeGreaterThanOrEqual(4);
    expect((await write()).status).toBe(200);
  });
});

describe('in a small heap', () => {
  const setUpSmall = async () => {
    const confine = 'export NODE_OPTIONS=--max-old-space-size=160';
    const { exit, port } = spawnBackend(['--data', await tempFolder()], confine);
    const client = rawClient({ port: await port });
    const { idToken } = await client.signUp();
    /** Resolves to the status of the answer, or to how the process has ended before. */
    const statusOf = (answer: Promise<{ readonly status: number }>) =>
      Promise.race([exit, answer.then(({ status }) => status)]);
    return { client, idToken, statusOf };
  };

  it('a message of blanks takes no more memory than another of its length', async () => {
    const { client, idToken, statusOf } = await setUpSmall();
    const channel = await rawChannel(client, 'Write').open([{}], idToken);
    await channel.next();
    const form = `count=1&ofs=1&req0___data__={}${'+'.repeat(12 * mib)}`;
    const path = `${channelPath('Write')}?VER=8&RID=2&SID=${channel.sid}`;
    expect(await statusOf(client.post(path, form))).toBe(200);
    expect(await channel.next()).toMatch('exceeds the maximum size');
  });

  it('nor do bytes that are zero in the change of a list', async () => {
    const { client, idToken, statusOf } = await setUpSmall();
    const values = [{ bytesValue: Buffer.alloc(7 * mib).toString('base64') }];
    const updateTransforms = [{ fieldPath: 'a', removeAllFromArray: { values } }];
    const body = { writes: [setWrite('pets/rex', {}, { updateTransforms })] };
    expect(await statusOf(client.firestore('commit', body, idToken))).toBe(403);
  });
});

it.each([
  ['two', 2_000_000, 400],
  ['nine', 9_000_000, 413],
])('S2: an id of %s million digits is refused at once', async (_words, digits, code) => {
  const { client, attacker } = await setUp();
  const name = `projects/demo-pawpals/databases/(default)/documents/pets/__id${'9'.repeat(digits)}__`;
  const endAt = { values: [{ referenceValue: name }] };
  const orderBy = [{ field: { fieldPath: '__name__' } }];
  const body = { structuredQuery: structuredQuery('pets', { orderBy, endAt }) };
  const { status, text } = await client.firestore('runQuery', body, attacker.idToken);
  expect([status, /INVALID_ARGUMENT/.test(text)]).toEqual([code, true]);
});

describe('S8: bodies that do not end', () => {
  const anonymous = [
    'POST /v1/projects/demo-pawpals/databases/(default)/documents:commit HTTP/1.1',
    `Content-Length: ${9 * mib}`,
  ];
  const announced = (token: string) => [...anonymous, `Authorization: Bearer ${token}`];
  const unfinished = 'x'.repeat(9 * mib - 1);

  it('are not kept before the token is checked', async () => {
    const { backend, write } = await setUp({
      limits: { bodyBytes: { owner: 64 * mib, stranger: mib, address: mib, all: 64 * mib } },
    });
    const sockets = Array.from({ length: 10 }, () => dial(backend.port, announced('bad')));
    for (const each of sockets) each.write(unfinished);
    const answers = sockets.map(answerOf);
    expect((await write()).status).toBe(200);
    for (const each of sockets) each.write('x');
    for (const each of await Promise.all(answers)) expect(each).toMatch(/^HTTP\/1\.1 401 /);
  });

  it('are not kept if they are announced to be too large', async () => {
    const { backend, client, owner } = await setUp({
      limits: { bodyBytes: { owner: mib, stranger: mib, address: mib, all: mib } },
    });
    const received = watchReceived();
    const half = 'x'.repeat(mib / 2);
    for (let sockets = 0; sockets < 3; sockets += 1) dial(backend.port, anonymous, half);
    await expect.poll(() => received(half.length)).toBe(3);
    const body = { writes: [], padding: 'x'.repeat(mib - 1000) };
    expect((await client.firestore('commit', body, owner.idToken)).status).toBe(200);
  });

  it('are kept up to a limit, after which their owner alone is refused', async () => {
    const { backend, client, clock, attacker, write } = await setUp();
    const received = watchReceived();
    // Seven of them fit into the 64 MiB of an owner, and leave no room for an eighth.
    const sockets = Array.from({ length: 7 }, () =>
      dial(backend.port, announced(attacker.idToken), unfinished),
    );
    await expect.poll(() => received(unfinished.length)).toBe(7);
    const another = () =>
      client.firestore('commit', { writes: [], padding: 'x'.repeat(9 * mib) }, attacker.idToken);
    const refused = await another();
    expect([refused.status, refused.text, Number(refused.headers.get('Retry-After'))]).toEqual([
      429,
      expect.stringContaining('RESOURCE_EXHAUSTED'),
      5,
    ]);
    expect((await write()).status).toBe(200);
    // A stalled body is cut, and its owner may send again.
    const closed = sockets.map(answerOf);
    clock.advance(15_000);
    clock.advance(15_000);
    for (const each of await Promise.all(closed)) expect(each).toBe('');
    expect((await another()).status).not.toBe(429);
  });

  it('are cut when they drip', async () => {
    const { backend, client, clock, attacker } = await setUp();
    const socket = dial(backend.port, announced(attacker.idToken), '{');
    const closed = answerOf(socket);
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    await expect
      .poll(async () => {
        socket.write(' ');
        await client.post('/__/health', '');
        clock.advance(5000);
        return isClosed;
      })
      .toBe(true);
    expect(await closed).toBe('');
  });
});

it('requests that do not end are refused above a limit of their address, and yield to others', async () => {
  const { backend, client } = await setUp({
    isBehindProxy: true,
    limits: { requests: { owner: 3, stranger: 3, address: 3, all: 6 } },
  });
  const received = watchReceived();
  const stalled = [1, 1, 1, 2, 2, 2].map((at) =>
    dial(backend.port, [
      'POST /v1/projects/demo-pawpals/databases/(default)/documents:commit HTTP/1.1',
      `X-Forwarded-For: 198.51.100.${at}`,
      'Content-Length: 9',
    ]),
  );
  const closed = Promise.race(stalled.map(answerOf));
  await expect.poll(() => received(1)).toBe(6);
  const from = (at: number, path: string) =>
    fetch(client.origin + path, { headers: { 'X-Forwarded-For': `198.51.100.${at}` } });
  // In JSON, the SDK would remove the sign-in that it looks up.
  const refused = await from(2, '/identitytoolkit.googleapis.com/v1/accounts:lookup');
  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toMatch('text/plain');
  expect((await from(3, '/__/health')).status).toBe(200);
  expect(await closed).toBe('');
});

it('uploads that do not end yield to the downloads of others', async () => {
  const { backend, client, owner, write } = await setUp({
    limits: { transfers: { owner: 2, stranger: 2, address: 2, all: 2 } },
  });
  await write();
  const name = 'pets/rex/audios/voice-note-1.webm';
  await backend.storage.put(name, Buffer.from('woof'));
  const received = watchReceived();
  const head = [
    'POST /v0/b/demo-pawpals.appspot.com/o?name=x HTTP/1.1',
    `Content-Length: ${mib}`,
    'Content-Type: multipart/related; boundary=b',
  ];
  const stalled = [1, 2].map(() => dial(backend.port, head, 'x'));
  const closed = Promise.race(stalled.map(answerOf));
  await expect.poll(() => received(1)).toBe(2);
  const path = `/v0/b/demo-pawpals.appspot.com/o/${encodeURIComponent(name)}?alt=media`;
  const answer = await fetch(client.origin + path, { headers: bearer(owner.idToken) });
  expect([answer.status, await answer.text()]).toEqual([200, 'woof']);
  expect(await closed).toBe('');
});

it('S8: slow readers of large answers are refused more of them, and nobody else is', async () => {
  const { backend, client, attacker, write } = await setUp({
    limits: {
      work: { burst: 1_000_000, everyMs: 1 },
      answerBytes: { owner: 64 * mib, stranger: mib, address: 128 * mib, all: 128 * mib },
    },
  });
  // This is more than the buffers of the system hold for a reader.
  for (let at = 0; at < 60; at++) {
    await backend.firestore.commit([
      { set: `pets/${at}`, data: { ownerId: attacker.uid, text: 'x'.repeat(900_000) } },
    ]);
  }
  const own = {
    fieldFilter: { field: { fieldPath: 'ownerId' }, op: 'EQUAL', value: str(attacker.uid) },
  };
  const body = JSON.stringify({ structuredQuery: structuredQuery('pets', { where: own }) });
  const head = [
    `POST ${client.documents}:runQuery HTTP/1.1`,
    `Authorization: Bearer ${attacker.idToken}`,
    `Content-Length: ${body.length}`,
  ];
  const again = () => client.post(`${client.documents}:runQuery`, body, bearer(attacker.idToken));
  await expect
    .poll(async () => {
      dial(backend.port, head, body).pause();
      await client.post('/__/health', '');
      return (await again()).status;
    })
    .toBe(429);
  expect((await again()).headers.get('Retry-After')).toBe('5');
  expect((await write()).status).toBe(200);
});
