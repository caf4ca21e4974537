import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { isJsonObject } from '../../src/json.ts';
import { createJsonLog } from '../../src/log.ts';
import { createBackend, type BackendOptions } from '../../src/server.ts';
import { openDiskRoom } from '../../src/store/disk-room.ts';
import { StoreError } from '../../src/store/key-value-store.ts';
import { openLmdbStore } from '../../src/store/lmdb-store.ts';
import { rawClient } from '../support/clients/raw-client.ts';
import { eventually } from '../support/eventually.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { spawnBackend } from '../support/servers/backend-process.ts';
import { openRules } from '../support/rules-fixture.ts';
import { testPasswordCost } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { databaseNames } from '../support/test-database.ts';

const secondMs = 1000;
const nameOf = (path: string) => databaseNames.toName(path);

/** Starts a backend on a disk that can be made to fail or to look full. */
async function setUp(more: Partial<BackendOptions> = {}) {
  const disk = { failure: null as StoreError | null, freeBytes: Infinity, maxOperations: Infinity };
  const clock = createManualClock(Date.now());
  const onBroken = vi.fn<() => void>();
  const options = {
    dataDir: await tempFolder(),
    passwordCost: testPasswordCost,
    clock,
    onBroken,
    freeBytes: () => disk.freeBytes,
    firestoreRules: openRules,
    ...more,
  };
  const backend = await createBackend(options, async (folder) => {
    const store = await openLmdbStore(folder);
    return {
      ...store,
      write: async (...write) => {
        if (disk.failure !== null) throw disk.failure;
        const isTooLarge = write[0].length > disk.maxOperations;
        if (isTooLarge) throw new StoreError('failed', 'The disk is full.');
        return store.write(...write);
      },
      isShort: () => disk.maxOperations < Infinity,
    };
  });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= backend.stop());
  onTestFinished(stop);
  const health = async () => (await fetch(`http://127.0.0.1:${backend.port}/__/health`)).status;
  const client = rawClient(backend);
  // The server refuses new accounts if its disk is full from the start.
  const token = more.freeBytes === undefined ? (await client.signUp()).idToken : undefined;
  const push = (...writes: unknown[]) => client.firestore('commit', { writes }, token);
  let text = '';
  /** Commits a document that grows, and resolves to the status. */
  const commit = async () => {
    text += 'x';
    const write = { update: { name: nameOf('c/a'), fields: { text: { stringValue: text } } } };
    return (await push(write)).status;
  };
  return { backend, clock, commit, push, disk, health, onBroken, stop };
}

it('a write after the store was closed is no failure of the disk', async () => {
  const logged: string[] = [];
  const { store } = openDiskRoom({
    store: await openLmdbStore(join(await tempFolder(), 'db')),
    freeBytes: () => Infinity,
    reservedBytes: 0,
    clock: createManualClock(),
    log: createJsonLog((line) => logged.push(line), Date.now),
    onBroken: () => undefined,
  });
  await store.close();
  const late = store.write([{ type: 'put', key: 'a', value: '1' }]);
  await expect(late).rejects.toMatchObject({ code: 'closed' });
  expect(logged).toEqual([]);
});

describe('a write that fails', () => {
  it('is refused alone: reads go on, and writes do when the disk has room again', async () => {
    const { backend, clock, commit, disk, health, onBroken } = await setUp();
    await commit();
    disk.failure = new StoreError('failed', 'The disk is full.');
    expect([await commit(), await commit()]).toEqual([503, 429]);
    expect([await health(), backend.firestore.get('c/a')]).toEqual([503, { text: 'x' }]);
    clock.advance(secondMs);
    expect(await health()).toBe(503);

    disk.failure = null;
    await backend.firestore.commit([{ delete: 'c/a' }]);
    expect([await health(), backend.firestore.get('c/a')]).toEqual([503, null]);
    await eventually(async () => {
      clock.advance(secondMs);
      expect(await health()).toBe(200);
    });
    expect(await commit()).toBe(200);
    expect(onBroken).not.toHaveBeenCalled();
  });

  it('is noticed also when it is an account that could not be written', async () => {
    const { backend, disk, health } = await setUp();
    disk.failure = new StoreError('failed', 'The disk is full.');
    const account = { email: 'a@b.example', password: 'Demo-d0gs' };
    const signUp = async () => (await rawClient(backend).account('signUp', account)).status;
    expect(await signUp()).toBe(503);
    expect(await health()).toBe(503);
    disk.failure = null;
    expect(await signUp()).toBe(503);
  });

  it('is no deletion that comes when much of the log is to be evicted', async () => {
    const { backend, clock, disk } = await setUp();
    const paths = Array.from({ length: 300 }, (_, at) => `c/${at}`);
    for (const path of paths) await backend.firestore.commit([{ set: path, data: { at: 1 } }]);
    clock.advance(25 * 3600 * secondMs);
    disk.maxOperations = 250;
    for (const path of paths.slice(0, 3)) await backend.firestore.commit([{ delete: path }]);
    expect(backend.firestore.get('c/2')).toBeNull();
  });

  it('tells the process when the store cannot be written until it is opened again', async () => {
    const { commit, disk, onBroken } = await setUp();
    disk.failure = new StoreError('broken', 'The store is damaged.');
    expect(await commit()).toBe(503);
    expect(onBroken).toHaveBeenCalledTimes(1);
  });
});

describe('a disk with less than the reserve', () => {
  it('takes no documents and no files, but deletions, and tells why', async () => {
    const { backend, commit, disk, health } = await setUp();
    await commit();
    await backend.storage.put('a', Buffer.from('hello'));
    disk.freeBytes = 1024;
    expect(await commit()).toBe(429);
    await expect(backend.storage.put('b', Buffer.from('hello'))).rejects.toMatchObject({
      code: 'no-room',
    });
    expect(await health()).toBe(503);
    await backend.firestore.commit([{ delete: 'c/a' }]);
    expect(await backend.storage.delete('a')).toBe(true);
    disk.freeBytes = Infinity;
    expect(await health()).toBe(200);
    expect(await commit()).toBe(200);
  });

  it('takes a commit that makes nothing larger: a tombstone, and the number that counts it', async () => {
    const { backend, push, disk } = await setUp();
    const sync = (head: number) => ({
      update: {
        name: nameOf('sync/a'),
        fields: { head: { integerValue: String(head) }, epoch: { stringValue: 'e' } },
      },
    });
    const tombstone = (path: string) => ({
      update: {
        name: nameOf(path),
        fields: {
          ownerId: { stringValue: 'a' },
          seq: { integerValue: '2' },
          deleted: { booleanValue: true },
        },
      },
      updateTransforms: [{ fieldPath: 'updatedAt', setToServerValue: 'REQUEST_TIME' }],
    });
    const pet = { ownerId: 'a', seq: 1, deleted: false, updatedAt: new Date(0), name: 'Rex' };
    await backend.firestore.commit([
      { set: 'sync/a', data: { head: 1, epoch: 'e' } },
      { set: 'pets/rex', data: pet },
    ]);
    disk.freeBytes = 1024;
    const refused = await push(sync(2), tombstone('pets/new'));
    expect(refused).toMatchObject({
      status: 429,
      body: { error: { message: 'The disk of the server is full; what is there can be deleted.' } },
    });
    expect((await push(sync(2), tombstone('pets/rex'))).status).toBe(200);
    expect(backend.firestore.get('pets/rex')).toMatchObject({ deleted: true });
    expect(backend.firestore.get('sync/a')).toMatchObject({ head: 2 });
  });

  it('does not keep a server from starting, and reading what is there', async () => {
    const dataDir = await tempFolder();
    const first = await setUp({ dataDir });
    await first.commit();
    await first.stop();
    const { backend, health } = await setUp({ dataDir, freeBytes: () => 0 });
    expect([await health(), backend.firestore.get('c/a')]).toEqual([503, { text: 'x' }]);
  });
});

/** The size limit for the files of the process, in blocks of 1,024 bytes. */
const fileBlocks = 16_000;

/** Simulates a full disk by limiting the size of the files of the server. */
const onFullDisk = `trap '' XFSZ; ulimit -S -f ${fileBlocks}`;

/** Starts a server that a shell command has confined. */
async function spawnConfined(dataDir: string, confine: string) {
  const script = `${confine}; exec "$@"`;
  const command = [process.execPath, inject('builtFiles').open, openRules, dataDir];
  const child = spawn('bash', ['-c', script, 'bash', ...command]);
  const exit = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  let output = '';
  const port = await new Promise<number>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /localhost:(\d+)\n/.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    exit.then(() => reject(new Error('exited')), reject);
  });
  const giveRoom = () => execFileSync('prlimit', ['--fsize=unlimited', '--pid', String(child.pid)]);
  return { child, exit, port, giveRoom };
}

describe.runIf(process.platform === 'linux')('a disk that is really full', () => {
  const write = (path: string, text: string) => ({
    writes: [{ update: { name: nameOf(path), fields: { t: { stringValue: text } } } }],
  });
  const removal = (path: string) => ({ writes: [{ delete: nameOf(path) }] });

  it('refuses writes, takes deletions, goes on after kill -9, and recovers by itself', async () => {
    const dataDir = await tempFolder();
    let server = await spawnConfined(dataDir, onFullDisk);
    let client = rawClient({ port: server.port });
    const credentials = { email: 'a@b.example', password: 'Demo-d0gs', returnSecureToken: true };
    const { body: signedUp } = await client.account('signUp', credentials);
    const idToken = isJsonObject(signedUp) ? String(signedUp['idToken']) : '';
    const ask = (method: string, body: unknown) => client.firestore(method, body, idToken);
    const commit = async (body: unknown) => (await ask('commit', body)).status;
    const health = async () => (await fetch(`http://127.0.0.1:${server.port}/__/health`)).status;
    let count = 0;
    let status = 200;
    while (status === 200) status = await commit(write(`c/${count++}`, 'x'.repeat(20_000)));
    expect([429, 503]).toContain(status);
    expect((await stat(join(dataDir, 'db', 'data.mdb'))).size).toBeLessThan(fileBlocks * 1024 + 1);
    expect(await health()).toBe(503);

    for (let at = 0; at < 20; at++) expect(await commit(removal(`c/${at}`))).toBe(200);
    const hundred = Array.from({ length: 100 }, (_, at) => ({ delete: nameOf(`c/${20 + at}`) }));
    expect(await commit({ writes: hundred })).toBe(200);
    server.child.kill('SIGKILL');
    await server.exit;
    server = await spawnConfined(dataDir, onFullDisk);
    client = rawClient({ port: server.port });
    const documents = [databaseNames.toName('c/1'), databaseNames.toName('c/130')];
    const answer = await ask('batchGet', { documents });
    expect(answer.body).toMatchObject([
      { missing: documents[0] },
      { found: { name: documents[1] } },
    ]);

    server.giveRoom();
    await eventually(async () => expect(await health()).toBe(200));
    for (let at = 0; at < 200; at++) {
      expect(await commit(write(`d/${at}`, 'x'.repeat(20_000)))).toBe(200);
    }
  });
});

it.runIf(process.platform === 'linux')(
  'the log tells of a full disk, in lines of JSON',
  async () => {
    const { child, output, port } = spawnBackend(['--data', await tempFolder()]);
    const client = rawClient({ port: await port });
    const { idToken, uid } = await client.signUp();
    execFileSync('prlimit', [`--fsize=${fileBlocks * 1024}`, '--pid', String(child.pid)]);
    let count = 0;
    let status = 200;
    while (status === 200) {
      const fields = { ownerId: { stringValue: uid }, t: { stringValue: 'x'.repeat(500_000) } };
      const write = { update: { name: databaseNames.toName(`pets/${count++}`), fields } };
      ({ status } = await client.firestore('commit', { writes: [write] }, idToken));
    }
    const lines = await eventually(() => {
      const whole = output.stderr.split('\n').slice(0, -1);
      const logged = whole.filter((line) => line !== '');
      expect(logged.length).toBeGreaterThan(0);
      return logged;
    });
    const events = lines.map((line): unknown => {
      const logged: unknown = JSON.parse(line);
      return isJsonObject(logged) && logged['event'];
    });
    expect(events).toEqual(['disk full']);
  },
);

const openFiles = 64;

describe.runIf(process.platform === 'linux')('a process without file descriptors', () => {
  it('stores again as soon as there are some', async () => {
    const { port } = await spawnConfined(await tempFolder(), `ulimit -n ${openFiles}`);
    const client = rawClient({ port });
    const { idToken } = await client.signUp();
    const body = {
      writes: [
        { update: { name: databaseNames.toName('c/a'), fields: { n: { integerValue: '1' } } } },
      ],
    };
    const commit = async () => (await client.firestore('commit', body, idToken)).status;
    const sockets = Array.from({ length: 2 * openFiles }, () => {
      const socket = connect(port, '127.0.0.1').on('error', () => undefined);
      socket.write('POST /v1/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n');
      return socket;
    });
    await Promise.all(
      sockets.map((each) => Promise.race([once(each, 'connect'), once(each, 'close')])),
    );
    for (const socket of sockets) socket.destroy();
    await eventually(async () => expect(await commit()).toBe(200));
    expect((await fetch(`http://127.0.0.1:${port}/__/health`)).status).toBe(200);
  });
});
