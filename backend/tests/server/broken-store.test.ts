import { describe, expect, it, vi } from 'vitest';
import { createBackend } from '../../src/server.ts';
import { openKeyValueStore } from '../../src/store/key-value-store.ts';
import { rawClient } from '../support/clients/raw-client.ts';
import { TEST_PASSWORD_COST } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** A backend on a disk that can be made to fail. */
async function setUp() {
  let isFailing = false;
  const onBroken = vi.fn<() => void>();
  const options = { dataDir: await tempFolder(), passwordCost: TEST_PASSWORD_COST, onBroken };
  const backend = await createBackend(options, async (folder) => {
    const store = await openKeyValueStore(folder);
    return {
      ...store,
      write: async (...write) => {
        if (isFailing) throw new Error('The disk is full.');
        return store.write(...write);
      },
    };
  });
  const health = async () => (await fetch(`http://127.0.0.1:${backend.port}/__/health`)).status;
  return {
    backend,
    health,
    onBroken,
    fail: () => {
      isFailing = true;
    },
  };
}

describe('a store that could not be written', () => {
  it('is told by health and to the process, once, and by nothing before', async () => {
    const { backend, fail, health, onBroken } = await setUp();
    let head = 0;
    const commit = () => backend.firestore.commit([{ set: 'sync/a', data: { head: ++head } }]);
    await commit();
    expect([await health(), onBroken.mock.calls.length]).toEqual([200, 0]);
    fail();
    await expect(commit()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    await expect(commit()).rejects.toMatchObject({ status: 'UNAVAILABLE' });
    expect([await health(), onBroken.mock.calls.length]).toEqual([503, 1]);
    await backend.stop();
    expect(onBroken).toHaveBeenCalledTimes(1);
  });

  it('is noticed also when it is an account that could not be written', async () => {
    const { backend, fail, health, onBroken } = await setUp();
    fail();
    await rawClient(backend).account('signUp', { email: 'a@b.example', password: 'Demo-d0gs' });
    expect([await health(), onBroken.mock.calls.length]).toEqual([503, 1]);
    await backend.stop();
  });
});
