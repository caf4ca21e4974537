import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
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

/** As npm start does: what passes here must pass on hosted Firebase. */
const firestoreIndexes = fileURLToPath(new URL('../../firestore.indexes.json', import.meta.url));

export async function startTestBackend(): Promise<TestBackend> {
  const dataDir = await mkdtemp(join(tmpdir(), 'pawpals-'));
  const options = { dataDir, passwordCost, firestoreIndexes };
  let backend = await createBackend({ ...options, port: 0 });
  return {
    current: () => backend,
    restart: async () => {
      const { port } = backend;
      await backend.stop();
      backend = await createBackend({ ...options, port });
    },
    dispose: async () => {
      await backend.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
