import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBackend, type BackendOptions } from '../backend/src/server.ts';
import { readServeOptions, UsageError } from './serve-options.ts';

const origin = 'https://pawpals.example';
const proxied = ['--behind-proxy', '--origin', origin];
const tlsFiles = ['--tls-cert', 'a.pem', '--tls-key', 'b.pem'];

describe('the options of npm start', () => {
  it('are those of one machine, unless told otherwise', () => {
    expect(readServeOptions([], {})).toEqual({
      port: 4173,
      dataDir: '.pawpals',
      host: '127.0.0.1',
      isLocal: true,
      isBehindProxy: false,
      trustedProxies: [],
      publicOrigin: null,
      tls: null,
    });
    expect(readServeOptions([], { PORT: '0', PAWPALS_DATA: '/data' })).toMatchObject({
      port: 0,
      dataDir: '/data',
    });
  });

  it.each([
    [['--public'], {}, '--public needs'],
    [['--public', '--tls-cert', 'a.pem'], {}, 'go together'],
    [['--host', '0.0.0.0'], {}, 'needs --tls-cert'],
    [['--host', 'pawpals.example'], {}, '--host must be an address'],
    [['--behind-proxy'], {}, '--behind-proxy needs --origin'],
    [[...proxied, '--host', '0.0.0.0'], {}, 'needs --trusted-proxy'],
    [[...proxied, '--trusted-proxy', 'proxy.lan'], {}, '--trusted-proxy must be'],
    [[...proxied, '--trusted-proxy', '10.0.0.0/33'], {}, '--trusted-proxy must be'],
    [['--trusted-proxy', '10.0.0.1'], {}, '--trusted-proxy goes with --behind-proxy'],
    [['--pubilc'], {}, '--pubilc'],
    [['--origin', 'pawpals.example'], {}, '--origin must be'],
    [['--origin', 'https://pawpals.example/app'], {}, '--origin must be'],
    [[], { PORT: 'web' }, 'PORT must be'],
    [[], { PORT: '70000' }, 'PORT must be'],
  ])('%j with %j are refused with a sentence', (args, env, sentence) => {
    const read = () => readServeOptions(args, env);
    expect(read).toThrow(UsageError);
    expect(read).toThrow(sentence);
  });

  it('let others in with a certificate', () => {
    expect(readServeOptions(['--public', ...tlsFiles], {})).toMatchObject({
      host: '0.0.0.0',
      isLocal: false,
      tls: { certFile: 'a.pem', keyFile: 'b.pem' },
    });
    const one = ['--public', '--host', '192.0.2.7', ...tlsFiles];
    expect(readServeOptions(one, {})).toMatchObject({ host: '192.0.2.7', isLocal: false });
  });

  it('listen behind a proxy to this machine only, unless an interface and the proxy are named', () => {
    for (const args of [proxied, ['--public', ...proxied]]) {
      expect(readServeOptions(args, {})).toMatchObject({
        host: '127.0.0.1',
        isLocal: false,
        isBehindProxy: true,
        publicOrigin: origin,
        tls: null,
      });
    }
    const named = [
      '--host',
      '0.0.0.0',
      '--trusted-proxy',
      '10.0.0.1',
      '--trusted-proxy',
      'fd00::/8',
    ];
    expect(readServeOptions([...proxied, ...named], {})).toMatchObject({
      host: '0.0.0.0',
      isLocal: false,
      trustedProxies: ['10.0.0.1', 'fd00::/8'],
    });
  });

  it.each([
    [['--origin', origin], false],
    [proxied, false],
    [['--public', ...tlsFiles], false],
    [tlsFiles, true],
    [['--host', '::1'], true],
  ])('with %j the demo owner and the account chooser are there: %s', (args, isLocal) => {
    expect(readServeOptions(args, {}).isLocal).toBe(isLocal);
  });
});

async function startBackend(options: Partial<BackendOptions>) {
  const dataDir = await mkdtemp(join(tmpdir(), 'pawpals-'));
  const backend = await createBackend({ dataDir, port: 0, passwordCost: 1_024, ...options });
  onTestFinished(async () => {
    await backend.stop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return backend;
}

describe('the server', () => {
  it('speaks https with a certificate', async () => {
    const folder = new URL('../tests/fixtures/tls/', import.meta.url);
    const cert = await readFile(new URL('localhost-cert.pem', folder), 'utf8');
    const key = await readFile(new URL('localhost-key.pem', folder), 'utf8');
    const backend = await startBackend({ tls: { cert, key } });
    expect(backend.url).toMatch(/^https:/);
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const options = { ca: cert, agent: false };
      request(`${backend.url}/__/health`, options, ({ statusCode }) => resolve(statusCode))
        .on('error', reject)
        .end();
    });
    expect(status).toBe(200);
  });
});
