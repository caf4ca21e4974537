import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const pem = (name: string): string => `tests/fixtures/tls/${name}.pem`;
const tls = ['--tls-cert', pem('localhost-cert'), '--tls-key', pem('localhost-key')];
const proxied = ['--behind-proxy', '--origin', 'https://pawpals.example'];

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'data');
}

/** Starts the script that `npm start` runs after its builds. */
async function start(flags: readonly string[], dataDir: string) {
  const child = spawn(process.execPath, ['scripts/serve/serve-built.mjs', ...flags], {
    cwd: root,
    env: { ...process.env, PORT: '0', PAWPALS_DATA: dataDir },
  });
  const exit = once(child, 'exit').then(([code]: unknown[]) => code);
  let output = '';
  const ready = new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const url = /PawPals is ready at (\S+)/.exec(output)?.[1];
      if (url !== undefined) resolve(url);
    });
    exit.then((code) => reject(new Error(`exited with ${String(code)}: ${output}`)), reject);
  });
  // A test of a refused start looks at `exit`, so the rejection of `ready` is ignored.
  ready.catch(() => undefined);
  const stop = async () => {
    child.kill('SIGTERM');
    return exit;
  };
  onTestFinished(async () => void (await stop()));
  return { ready, exit, stop, output: () => output };
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request, over https without checking the certificate. */
async function ask(url: string, body?: unknown): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { 'content-type': 'application/json' };
  const sent = body === undefined ? undefined : JSON.stringify(body);
  if (url.startsWith('http:')) {
    const response = await fetch(url, { method, headers, ...(sent && { body: sent }) });
    return { status: response.status, text: await response.text() };
  }
  return new Promise((resolve, reject) => {
    const options = { method, headers, rejectUnauthorized: false, agent: false };
    request(url, options, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    })
      .on('error', reject)
      .end(sent);
  });
}

const signInDemoOwner = (url: string): Promise<Answer> =>
  ask(`${url}/identitytoolkit.googleapis.com/v1/accounts:signInWithPassword?key=k`, {
    email: 'demo@pawpals.example',
    password: 'Walkies1!',
    returnSecureToken: true,
  });

const openChooser = (url: string): Promise<Answer> => ask(`${url}/emulator/auth/handler`);

/** Returns the bytes with which a port answers a plain http request. */
async function askPlainly(url: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.end('GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

/** Returns the `sync` document of the demo owner. */
async function readSync(url: string): Promise<unknown> {
  const signedIn: unknown = JSON.parse((await signInDemoOwner(url)).text);
  const { localId, idToken } = v.parse(
    v.object({ localId: v.string(), idToken: v.string() }),
    signedIn,
  );
  const documents = 'projects/demo-pawpals/databases/(default)/documents';
  const response = await fetch(`${url}/v1/${documents}:batchGet`, {
    method: 'POST',
    headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ documents: [`${documents}/sync/${localId}`] }),
  });
  const found = v.object({ found: v.object({ fields: v.unknown() }) });
  return v.parse(v.tuple([found]), await response.json())[0].found.fields;
}

describe('npm start', () => {
  it('on a restored backup tells devices that it is another history', async () => {
    const dataDir = await newFolder();
    const copy = await newFolder();
    const first = await start([], dataDir);
    const before = await readSync(await first.ready);
    const backup = ['.cache/server/backend.js', '--data', dataDir, '--backup', copy];
    await promisify(execFile)(process.execPath, backup, { cwd: root });
    await first.stop();

    const restored = await start([], copy);
    const after = await readSync(await restored.ready);
    expect(after).toEqual({ ...Object(before), epoch: { stringValue: expect.any(String) } });
    expect(after).not.toEqual(before);
    await restored.stop();

    const again = await start([], copy);
    expect(await readSync(await again.ready)).toEqual(after);
  });

  it('has the demo owner and the chooser for this machine only', async () => {
    const dataDir = await newFolder();
    const local = await start([], dataDir);
    const url = await local.ready;
    expect(url).toMatch(/^http:/);
    expect(local.output()).toMatch(/demo@pawpals\.example[^]*this code once/);
    expect((await signInDemoOwner(url)).status).toBe(200);
    expect((await openChooser(url)).text).toContain('Type the code');
    await local.stop();

    for (const flags of [proxied, ['--public', ...tls], [...proxied, ...tls]]) {
      const shared = await start(flags, dataDir);
      const sharedUrl = await shared.ready;
      expect(shared.output()).not.toMatch(/demo@|this code/);
      expect(await signInDemoOwner(sharedUrl)).toMatchObject({
        status: 400,
        text: expect.stringContaining('USER_DISABLED'),
      });
      expect((await openChooser(sharedUrl)).text).toContain('Not available here');
      await shared.stop();
    }

    // The first start may have been one that nobody read, or that found its port in use.
    const again = await start([], dataDir);
    expect((await signInDemoOwner(await again.ready)).status).toBe(200);
    expect(again.output()).toContain('sign in as demo@pawpals.example');
  });

  it('prints what its backend could not do, without the names of owners', async () => {
    const dataDir = await newFolder();
    const local = await start([], dataDir);
    const url = await local.ready;
    await writeFile(join(dataDir, 'mail'), 'a file where the folder of mails should be');
    await ask(`${url}/identitytoolkit.googleapis.com/v1/accounts:sendOobCode?key=k`, {
      requestType: 'PASSWORD_RESET',
      email: 'demo@pawpals.example',
    });
    await expect.poll(local.output).toMatch(/"level":"error","event":"mail failed"/);
    expect(/.*mail failed.*/.exec(local.output())?.[0]).not.toContain('demo@');
  });

  it('creates no demo owner where other machines have access', async () => {
    const shared = await start(proxied, await newFolder());
    expect((await signInDemoOwner(await shared.ready)).text).toContain('INVALID_LOGIN_CREDENTIALS');
  });

  it('accepts only https if it has a certificate', async () => {
    const server = await start(['--public', ...tls], await newFolder());
    const url = await server.ready;
    expect(url).toMatch(/^https:/);
    expect((await ask(`${url}/__/health`)).status).toBe(200);
    expect(await askPlainly(url)).not.toContain('HTTP/1.1 2');
  });

  it('ends with a sentence if its data folder cannot be written', async () => {
    const dataDir = await newFolder();
    await writeFile(dataDir, 'a file where the data folder should be');
    const refused = await start([], dataDir);
    expect(await refused.exit).toBe(1);
    expect(refused.output()).toBe(`The data folder ${dataDir} cannot be written.\n`);
  });

  it('ends with a sentence if it has to be installed and this user may not write to it', async () => {
    const clone = await newFolder();
    for (const name of ['start.mjs', 'machine', 'bundle']) {
      await cp(join(root, 'scripts', name), join(clone, 'scripts', name), { recursive: true });
    }
    const packages = { 'node_modules/vite': { version: '1.0.0' } };
    await writeFile(join(clone, 'package-lock.json'), JSON.stringify({ packages }));
    // Root may write everywhere, so another user starts it.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
    await chmod(join(clone, '..'), 0o755);
    await chmod(clone, 0o555);
    const child = spawn(process.execPath, ['scripts/start.mjs'], { cwd: clone, ...user });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    }
    const [code]: unknown[] = await once(child, 'close');
    await chmod(clone, 0o755);
    expect(output).toMatch(/^PawPals has to be installed[^\n]+\.\n$/);
    expect(code).toBe(1);
  });

  it.each([
    [['--public'], 'Others get in with --tls-cert and --tls-key'],
    [['--behind-proxy'], '--behind-proxy needs --origin'],
    [
      ['--public', '--tls-cert', pem('localhost-cert'), '--tls-key', pem('renewed-key')],
      'must be a certificate and its key',
    ],
    [['--tls-cert', 'none.pem', '--tls-key', 'none.pem'], 'must be files that can be read'],
  ])('ends with %j, before anything is stored, and says why in a sentence', async (flags, why) => {
    const refused = await start(flags, await newFolder());
    expect(await refused.exit).toBe(2);
    expect(refused.output()).toContain(why);
    expect(refused.output()).toMatch(/^[^\n]+\.\n$/);
  });
});
