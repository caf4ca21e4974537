import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBackend, type Backend } from '../../backend/src/server.ts';

/** The embedded backend in this process, on a free port and a data folder of its own. */
export interface TestBackend {
  current(): Backend;
  /** Stops it and starts it again on the same port and data. */
  restart(): Promise<void>;
  dispose(): Promise<void>;
}

/** The cost is that of a test: a real password hash takes longer than all the rest. */
const passwordCost = 1_024;

export async function startTestBackend(): Promise<TestBackend> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pawpals-'));
  let backend = await createBackend({ dataDir, port: 0, passwordCost });
  return {
    current: () => backend,
    restart: async () => {
      const { port } = backend;
      await backend.stop();
      backend = await createBackend({ dataDir, port, passwordCost });
    },
    dispose: async () => {
      await backend.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
