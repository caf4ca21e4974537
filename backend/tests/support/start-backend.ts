import { onTestFinished } from 'vitest';
import { createBackend, type Backend, type BackendOptions } from '../../src/server.ts';
import { tempFolder } from './temp-folder.ts';

/** Cheap password hashes: the tests are about the protocol. */
export const TEST_PASSWORD_COST = 2 ** 4;

/** In a fresh folder unless one is given; stopped when the test ends, also if it stopped itself. */
export async function startBackend(options: Partial<BackendOptions> = {}): Promise<Backend> {
  const dataDir = options.dataDir ?? (await tempFolder());
  const backend = await createBackend({ passwordCost: TEST_PASSWORD_COST, ...options, dataDir });
  let stopped: Promise<void> | null = null;
  const stop = () => (stopped ??= backend.stop());
  onTestFinished(stop);
  return { ...backend, stop };
}
