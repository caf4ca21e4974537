import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';
import * as v from 'valibot';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** Builds the folder that is uploaded: package.json and the bundle, with the packages that the cloud installs. */
async function bundle(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pawpals-functions-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  const config = join(root, 'functions/vite.config.ts');
  const args = [vite, 'build', '--config', config, '--outDir', join(folder, 'dist')];
  await promisify(execFile)(process.execPath, [...args, '--logLevel', 'error'], { cwd: root });
  await cp(join(root, 'functions/package.json'), join(folder, 'package.json'));
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/**
 * Returns the manifest that the Firebase command line requests from the bundle before it deploys. @param env the
 * variables of `functions/.env`.
 */
async function discover(env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const folder = await bundle();
  const port = await freePort();
  const config = { projectId: 'demo-pawpals', storageBucket: 'demo-pawpals.firebasestorage.app' };
  const discovery = join(root, 'node_modules/firebase-functions/lib/bin/firebase-functions.js');
  const child = spawn(process.execPath, [discovery, '.'], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      ...process.env,
      ...env,
      PORT: String(port),
      FUNCTIONS_CONTROL_API: 'true',
      GCLOUD_PROJECT: config.projectId,
      FIREBASE_CONFIG: JSON.stringify(config),
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return vi.waitFor(
    async () => {
      const answer = await fetch(`http://localhost:${port}/__/functions.yaml`);
      const text = await answer.text();
      const parsed: unknown = JSON.parse(text);
      return parsed;
    },
    { timeout: 25_000, interval: 50 },
  );
}

it('the bundle declares its functions to the Firebase command line', async () => {
  const manifest = await discover();
  expect(manifest).not.toHaveProperty('params');
  expect(manifest).toMatchObject({
    endpoints: {
      accountCleanup: {
        platform: 'gcfv1',
        eventTrigger: { eventType: 'providers/firebase.auth/eventTypes/user.delete', retry: true },
      },
      fileCleanup: {
        platform: 'gcfv2',
        scheduleTrigger: { schedule: 'every 1 hours' },
        timeoutSeconds: 1_800,
      },
      transcribe: {
        platform: 'gcfv2',
        httpsTrigger: { invoker: ['public'] },
        availableMemoryMb: 512,
        concurrency: 4,
      },
    },
  });
}, 60_000);

it('the key of the speech engine is a secret, required only by engines that take one', async () => {
  expect(await discover({ PAWPALS_SPEECH_ENGINE: 'openai' })).toMatchObject({
    params: [{ type: 'secret', name: 'PAWPALS_SPEECH_KEY' }],
    endpoints: { transcribe: { secretEnvironmentVariables: [{ key: 'PAWPALS_SPEECH_KEY' }] } },
  });
}, 60_000);

const packagesSchema = v.object({
  packages: v.record(v.string(), v.looseObject({ version: v.exactOptional(v.string()) })),
});

it('the lock file beside the bundle has the tested versions, and npm can install from it', async () => {
  const folder = await bundle();
  const read = async (file: string) =>
    v.parse(packagesSchema, JSON.parse(await readFile(file, 'utf8'))).packages;
  const { '': own, ...locked } = await read(join(folder, 'package-lock.json'));
  expect(own).toMatchObject({ name: '@pawpals/functions' });
  const tested = await read(join(root, 'package-lock.json'));
  for (const [place, { version }] of Object.entries(locked)) {
    expect([place, version]).toEqual([place, tested[place]?.version]);
  }
  await rm(join(folder, 'node_modules'));
  const args = ['ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: folder });
  expect(stdout).toContain(`added ${Object.keys(locked).length} packages`);
}, 60_000);
