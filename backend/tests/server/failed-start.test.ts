import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createBackend, type BackendOptions } from '../../src/server.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { startBackend, testPasswordCost } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

it.each<[string, string, (folder: string) => Promise<Partial<BackendOptions>>]>([
  [
    'another server has the port',
    'already in use',
    async () => ({ port: (await startBackend()).port }),
  ],
  [
    'the seed fails',
    'no seed',
    async () => ({
      async seed() {
        throw new Error('no seed');
      },
    }),
  ],
  [
    'the file of the indexes is unusable',
    'indexes.json',
    async (folder) => {
      const firestoreIndexes = join(folder, 'indexes.json');
      await writeFile(firestoreIndexes, '{');
      return { firestoreIndexes };
    },
  ],
])(
  'a start that fails because %s leaves nothing behind that runs later',
  async (_why, message, fault) => {
    const folder = await tempFolder();
    const clock = createManualClock();
    const options = { dataDir: join(folder, 'data'), passwordCost: testPasswordCost, clock };
    await expect(createBackend({ ...options, ...(await fault(folder)) })).rejects.toThrow(message);
    expect(() => clock.advance(86_400_000)).not.toThrow();
  },
);
