import { beforeAll, describe, expect, it, vi } from 'vitest';
import { spawnBackend } from './support/backend-process.ts';
import { startCuttingProxy } from './support/cutting-proxy.ts';
import { importBrowserSdk, type BrowserSdk } from './support/sdk-bundle.ts';
import { sdkUser } from './support/sdk-user.ts';
import { startBackend } from './support/start-backend.ts';
import { tempFolder } from './support/temp-folder.ts';
import { watch } from './support/watch.ts';

/** For a busy machine; the tests themselves wait for conditions. */
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

let sdk: BrowserSdk;
beforeAll(async () => {
  sdk = await importBrowserSdk();
  sdk.setLogLevel('silent');
});

describe('a listener', () => {
  it('misses nothing when its connections break again and again', async () => {
    const backend = await startBackend();
    const proxy = await startCuttingProxy(backend.port);
    const user = await sdkUser(sdk, proxy.port);
    const path = `sync/${user.uid}`;
    const { errors, seen, shows } = watch(sdk, user, path);
    await shows(null);
    let cut = 0;
    for (let head = 1; head <= 10; head++) {
      cut += proxy.cut();
      await backend.firestore.commit([{ set: path, data: { head } }]);
      await shows({ head });
    }
    expect(cut).toBeGreaterThanOrEqual(10);
    expect(errors).toEqual([]);
    // The session outlived its sockets: the client never fell back to its cache.
    expect(seen.filter(({ fromCache, data }) => fromCache && data !== null)).toEqual([]);
  });

  it('and a write go on when the server is killed and started again', async () => {
    const dataDir = await tempFolder();
    const first = spawnBackend(['--port', '0', '--data', dataDir]);
    const port = await first.port;
    const user = await sdkUser(sdk, port);
    const head = sdk.doc(user.db, 'sync', user.uid);
    const { errors, shows } = watch(sdk, user, `sync/${user.uid}`);
    await sdk.setDoc(head, { head: 1, epoch: 'e' });
    await shows({ head: 1, epoch: 'e' });
    first.child.kill('SIGKILL');
    await first.exit;
    const pending = sdk.setDoc(head, { head: 2, epoch: 'e' });
    const second = spawnBackend(['--port', String(port), '--data', dataDir]);
    await second.port;
    await pending;
    await shows({ head: 2, epoch: 'e' });
    expect(errors).toEqual([]);
  });
});
