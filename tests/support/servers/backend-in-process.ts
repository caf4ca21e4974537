import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackend, type Backend, type BackendOptions } from '../../../backend/src/server.ts';
import { renewEpochs } from '../../../scripts/serve/renew-epochs.ts';
import { deployedFiles } from '../built-app/deployed-files.ts';

/** The embedded backend in this process, with its own free port and data folder. */
export interface TestBackend {
  current(): Backend;
  /** Stops it and starts it again on the same port and data. */
  restart(): Promise<void>;
  /** Stops it, and starts it on the same port with a copy that its `backUp` has made in place of its data. */
  restore(copy: string): Promise<void>;
  dispose(): Promise<void>;
}

/** The hash is cheaper than in production, where one password hash takes longer than the rest of a test. */
const passwordCost = 1_024;

let pem: string | undefined;

/** Writes a signing key. Generating one takes at least a tenth of a second, so the folders of a test file share one. */
async function provideKey(dataDir: string): Promise<void> {
  pem ??= generateKeyPairSync('rsa', { modulusLength: 2_048 })
    .privateKey.export({ type: 'pkcs8', format: 'pem' })
    .toString();
  await writeFile(join(dataDir, 'signing-key.pem'), pem, { mode: 0o600 });
}

export async function startTestBackend(
  own: Partial<typeof deployedFiles> & Pick<BackendOptions, 'httpFunctions' | 'clock'> = {},
): Promise<TestBackend> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pawpals-'));
  await provideKey(dataDir);
  const options = { dataDir, passwordCost, onRestored: renewEpochs, ...deployedFiles, ...own };
  let backend = await createBackend({ ...options, port: 0 });
  const restart = async (whileStopped = () => Promise.resolve()): Promise<void> => {
    const { port } = backend;
    await backend.stop();
    await whileStopped();
    backend = await createBackend({ ...options, port });
  };
  return {
    current: () => backend,
    restart: () => restart(),
    restore: (copy) =>
      restart(async () => {
        await rm(dataDir, { recursive: true });
        await cp(copy, dataDir, { recursive: true });
      }),
    dispose: async () => {
      await backend.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
