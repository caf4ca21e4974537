import { generateKeyPairSync } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, onTestFinished } from 'vitest';
import { createBackend, type Backend, type BackendOptions } from '../../../src/server.ts';
import { ownersRules, petFilesRules } from '../rules-fixture.ts';
import { tempFolder } from '../temp-folder.ts';

/** Cheap password hashes: the tests are about the protocol. */
export const testPasswordCost = 2 ** 4;

let pem: string | undefined;

/** A key takes a tenth of a second to make, so the folders of one test file share one. */
async function provideKey(dataDir: string): Promise<void> {
  pem ??= generateKeyPairSync('rsa', { modulusLength: 2048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  await mkdir(dataDir, { recursive: true });
  const options = { mode: 0o600, flag: 'wx' };
  // On a restart the folder has it already.
  await writeFile(join(dataDir, 'signing-key.pem'), pem, options).catch(() => undefined);
}

/** Starts a backend, in a new folder by default; it is stopped when the test ends. */
export async function startBackend(options: Partial<BackendOptions> = {}): Promise<Backend> {
  const dataDir = options.dataDir ?? (await tempFolder());
  await provideKey(dataDir);
  const backend = await createBackend({
    passwordCost: testPasswordCost,
    firestoreRules: ownersRules,
    storageRules: petFilesRules,
    ...options,
    dataDir,
  });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= backend.stop());
  onTestFinished(stop);
  return { ...backend, stop };
}

/** Creates a folder for all tests of a file; it is removed after the last. */
export function sharedFolder(): Promise<string> {
  const made = mkdtemp(join(tmpdir(), 'pawpals-backend-'));
  afterAll(async () => rm(await made, { recursive: true, force: true }));
  return made;
}

/** Starts a backend for all tests of a file, which use separate paths; it is stopped after the last. */
export function startSharedBackend(
  options: Partial<BackendOptions> | Promise<Partial<BackendOptions>> = {},
): Promise<Backend> {
  const folder = sharedFolder();
  const start = async () => {
    const dataDir = join(await folder, 'data');
    await provideKey(dataDir);
    return createBackend({ passwordCost: testPasswordCost, ...(await options), dataDir });
  };
  const started = start();
  afterAll(async () => (await started).stop());
  return started;
}
