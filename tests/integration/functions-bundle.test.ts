import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished, vi } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The folder as it is uploaded: package.json and the bundle, with the packages that the cloud installs. */
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

it('the bundle says of itself what the Firebase command line asks before it deploys', async () => {
  const folder = await bundle();
  const port = await freePort();
  const config = { projectId: 'demo-pawpals', storageBucket: 'demo-pawpals.firebasestorage.app' };
  const discovery = join(root, 'node_modules/firebase-functions/lib/bin/firebase-functions.js');
  const child = spawn(process.execPath, [discovery, '.'], {
    cwd: folder,
    stdio: 'ignore',
    env: {
      ...process.env,
      PORT: String(port),
      FUNCTIONS_CONTROL_API: 'true',
      GCLOUD_PROJECT: config.projectId,
      FIREBASE_CONFIG: JSON.stringify(config),
    },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const manifest = await vi.waitFor(
    async () => {
      const answer = await fetch(`http://localhost:${port}/__/functions.yaml`);
      const text = await answer.text();
      const parsed: unknown = JSON.parse(text);
      return parsed;
    },
    { timeout: 25_000, interval: 50 },
  );
  expect(manifest).toMatchObject({
    endpoints: {
      accountCleanup: {
        platform: 'gcfv1',
        eventTrigger: { eventType: 'providers/firebase.auth/eventTypes/user.delete', retry: true },
      },
      fileCleanup: {
        platform: 'gcfv2',
        scheduleTrigger: { schedule: 'every day 03:00', retryConfig: { retryCount: 2 } },
        timeoutSeconds: 1_800,
      },
      transcribe: { platform: 'gcfv2', httpsTrigger: { invoker: ['public'] } },
    },
  });
}, 60_000);
