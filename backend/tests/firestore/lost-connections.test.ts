import type { CollectionReference } from 'firebase/firestore';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { spawnBackend } from '../support/servers/backend-process.ts';
import { startCuttingProxy } from '../support/proxies/cutting-proxy.ts';
import { startFaultyProxy } from '../support/proxies/faulty-proxy.ts';
import { eventually } from '../support/eventually.ts';
import { openRules } from '../support/rules-fixture.ts';
import { importBrowserSdk, type BrowserSdk } from '../support/clients/sdk-bundle.ts';
import { sdkUser } from '../support/clients/sdk-user.ts';
import { startSlowListenProxy } from '../support/proxies/slow-listen-proxy.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { watch } from '../support/watch.ts';

let sdk: BrowserSdk;
beforeAll(async () => {
  sdk = await importBrowserSdk();
  sdk.setLogLevel('silent');
});

describe('a batch whose answer was lost is sent again, as a new one', () => {
  /** Loses the answer to a write that took effect; the SDK retries the write on a new stream. */
  async function loseAnswer(write: (at: CollectionReference) => Promise<unknown>) {
    const backend = await startBackend({ firestoreRules: openRules });
    const found = () => backend.firestore.find({ collection: 'c', limit: 9 });
    const proxy = await startFaultyProxy(() => backend.port);
    onTestFinished(() => proxy.stop());
    const { db } = await sdkUser(sdk, proxy.port);
    await sdk.setDoc(sdk.doc(db, 'first/one'), {});
    proxy.swallow();
    const outcome = write(sdk.collection(db, 'c')).then(
      () => 'written',
      (error: unknown) => (error instanceof sdk.FirebaseError ? error.code : String(error)),
    );
    await eventually(async () => expect(await found()).toHaveLength(1));
    await sdk.disableNetwork(db);
    proxy.cut();
    await sdk.enableNetwork(db);
    return { outcome: await outcome, data: (await found()).map((each) => each.data) };
  }

  it('a set has the same effect', async () => {
    const found = await loseAnswer((at) => sdk.setDoc(sdk.doc(at, 'a'), { n: 1 }));
    expect(found).toEqual({ outcome: 'written', data: [{ n: 1 }] });
  });

  it('an increment counts twice', async () => {
    const increment = { n: sdk.increment(1) };
    const found = await loseAnswer((at) =>
      sdk.setDoc(sdk.doc(at, 'a'), increment, { merge: true }),
    );
    expect(found).toEqual({ outcome: 'written', data: [{ n: 2 }] });
  });

  it('a document that it created exists by then', async () => {
    const found = await loseAnswer((at) => sdk.addDoc(at, { n: 1 }));
    expect(found).toEqual({ outcome: 'already-exists', data: [{ n: 1 }] });
  });
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

  it('is told of its own write when the answer overtakes another change, and the write matches no more', async () => {
    const backend = await startBackend({ firestoreRules: openRules });
    const proxy = await startSlowListenProxy(backend.port);
    const { db } = await sdkUser(sdk, proxy.port);
    await backend.firestore.commit([{ set: 'c/a', data: { n: 50 } }]);
    let shown: unknown;
    sdk.onSnapshot(
      sdk.query(sdk.collection(db, 'c'), sdk.where('n', '>', 40)),
      { includeMetadataChanges: true },
      ({ docs, metadata: { fromCache, hasPendingWrites } }) => {
        shown = { data: docs.map((each) => each.data()), fromCache, hasPendingWrites };
      },
    );
    const confirmed = { fromCache: false, hasPendingWrites: false };
    await eventually(() => expect(shown).toEqual({ data: [{ n: 50 }], ...confirmed }));
    proxy.hold();
    await backend.firestore.commit([{ set: 'c/a', data: { n: 5 } }]);
    await sdk.setDoc(sdk.doc(db, 'c/a'), { m: 1 }, { merge: true });
    expect(shown).toMatchObject({ data: [{ n: 50, m: 1 }], hasPendingWrites: true });
    proxy.release();
    await eventually(() => expect(shown).toEqual({ data: [], ...confirmed }));
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
