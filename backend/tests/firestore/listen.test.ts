import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createManualClock } from '../support/fakes/manual-clock.ts';
import { importBrowserSdk, type BrowserSdk } from '../support/clients/sdk-bundle.ts';
import { testPassword, sdkUser } from '../support/clients/sdk-user.ts';
import { startBackend } from '../support/servers/start-backend.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { watch } from '../support/watch.ts';

let sdk: BrowserSdk;
beforeAll(async () => {
  sdk = await importBrowserSdk();
  sdk.setLogLevel('silent');
});

describe('a listener on one document, in the browser build of the SDK', () => {
  it('tells that the document is missing, then its creation, change and deletion', async () => {
    const backend = await startBackend();
    const user = await sdkUser(sdk, backend.port);
    const path = `sync/${user.uid}`;
    const { errors, shows } = watch(sdk, user, path);
    await shows(null);
    await backend.firestore.commit([{ set: path, data: { head: 1 } }]);
    await shows({ head: 1 });
    await backend.firestore.commit([{ set: path, data: { head: 2 } }]);
    await shows({ head: 2 });
    await backend.firestore.commit([{ delete: path }]);
    await shows(null);
    expect(errors).toEqual([]);
  });

  it('works over long polling too', async () => {
    const backend = await startBackend();
    const user = await sdkUser(sdk, backend.port, { experimentalForceLongPolling: true });
    const path = `sync/${user.uid}`;
    const { errors, shows } = watch(sdk, user, path);
    await shows(null);
    for (const head of [1, 2, 3]) {
      await backend.firestore.commit([{ set: path, data: { head } }]);
      await shows({ head });
    }
    expect(errors).toEqual([]);
  });

  it('catches up after the server was stopped and started on the same folder', async () => {
    const dataDir = await tempFolder();
    const first = await startBackend({ dataDir });
    const user = await sdkUser(sdk, first.port);
    const path = `sync/${user.uid}`;
    await first.firestore.commit([{ set: path, data: { head: 1 } }]);
    const { seen, shows } = watch(sdk, user, path);
    await shows({ head: 1 });
    await first.stop();
    await eventually(() => expect(seen.at(-1)?.fromCache).toBe(true));

    const second = await startBackend({ dataDir, port: first.port });
    await shows({ head: 1 });
    await second.firestore.commit([{ set: path, data: { head: 2 } }]);
    await shows({ head: 2 });
    const headsInOrder = seen.map(({ data }) => JSON.stringify(data));
    expect(new Set(headsInOrder)).toEqual(new Set(['{"head":1}', '{"head":2}']));
  });

  it('goes on with a new token when the old one has expired', async () => {
    const clock = createManualClock(Date.now());
    const backend = await startBackend({ clock });
    const user = await sdkUser(sdk, backend.port);
    const path = `sync/${user.uid}`;
    const { errors, shows } = watch(sdk, user, path);
    await shows(null);
    // The clock of the SDK has not moved: it requests a new token only because the server ends the stream.
    const oldToken = await user.user.getIdToken();
    clock.advance(3_600_000);
    await eventually(async () => expect(await user.user.getIdToken()).not.toBe(oldToken));
    await backend.firestore.commit([{ set: path, data: { head: 1 } }]);
    await shows({ head: 1 });
    expect(errors).toEqual([]);
  });

  it('goes on when the user changes the password', async () => {
    const clock = createManualClock(Date.now());
    const backend = await startBackend({ clock });
    const user = await sdkUser(sdk, backend.port);
    const path = `sync/${user.uid}`;
    const { errors, shows } = watch(sdk, user, path);
    await shows(null);
    await sdk.updatePassword(user.user, `${testPassword} 2`);
    // The streams of the old token end.
    clock.advance(5000);
    await backend.firestore.commit([{ set: path, data: { head: 1 } }]);
    await shows({ head: 1 });
    expect(errors).toEqual([]);
  });

  it('is refused with permission-denied on a foreign document, without harm to others', async () => {
    const backend = await startBackend();
    const user = await sdkUser(sdk, backend.port);
    const own = watch(sdk, user, `sync/${user.uid}`);
    const foreign = watch(sdk, user, 'sync/somebody-else');
    await eventually(() => expect(foreign.errors).toEqual(['permission-denied']));
    await own.shows(null);
    await backend.firestore.commit([{ set: `sync/${user.uid}`, data: { head: 1 } }]);
    await own.shows({ head: 1 });
  });

  it('a hundred at once are all served', async () => {
    const backend = await startBackend();
    const user = await sdkUser(sdk, backend.port);
    const paths = Array.from({ length: 100 }, (_, at) => `pets/pet-${at}`);
    await backend.firestore.commit(
      paths.map((set, at) => ({ set, data: { ownerId: user.uid, n: at } })),
    );
    const watched = paths.map((path) => watch(sdk, user, path));
    await Promise.all(watched.map(({ shows }, n) => shows({ ownerId: user.uid, n })));
    expect(watched.flatMap(({ errors }) => errors)).toEqual([]);
  });
});

describe('the rest of the browser build', () => {
  it('writes through the write stream and sees its own writes in a live query', async () => {
    const backend = await startBackend();
    const { db, uid } = await sdkUser(sdk, backend.port);
    const pets = sdk.query(
      sdk.collection(db, 'pets'),
      sdk.where('ownerId', '==', uid),
      sdk.orderBy('n'),
      sdk.limit(2),
    );
    const results: string[] = [];
    onTestFinished(
      sdk.onSnapshot(pets, { includeMetadataChanges: true }, ({ docs, metadata }) => {
        if (metadata.fromCache || metadata.hasPendingWrites) return;
        results.push(docs.map((each) => each.id).join(''));
      }),
    );
    const pet = (id: string) => sdk.doc(db, 'pets', id);
    await Promise.all(
      ['a', 'b', 'c'].map((id, n) =>
        sdk.setDoc(pet(id), { ownerId: uid, n, at: sdk.serverTimestamp() }),
      ),
    );
    await eventually(() => expect(results.at(-1)).toBe('ab'));
    await sdk.updateDoc(pet('a'), { n: sdk.increment(10) });
    await eventually(() => expect(results.at(-1)).toBe('bc'));
    expect((await sdk.getDoc(pet('a'))).data()).toMatchObject({ n: 10 });
    await expect(sdk.deleteDoc(pet('a'))).rejects.toMatchObject({ code: 'permission-denied' });
    await expect(sdk.updateDoc(pet('a'), { ownerId: 'x' })).rejects.toMatchObject({
      code: 'permission-denied',
    });
    expect((await sdk.getCountFromServer(pets)).data().count).toBe(2);
  });

  it('sends what was written offline once it is back, in order', async () => {
    const backend = await startBackend();
    const { db, uid } = await sdkUser(sdk, backend.port);
    const pet = sdk.doc(db, 'pets', 'a');
    await sdk.disableNetwork(db);
    const pending = [
      sdk.setDoc(pet, { ownerId: uid, n: 1 }),
      ...Array.from({ length: 5 }, () => sdk.updateDoc(pet, { n: sdk.increment(1) })),
    ];
    expect(backend.firestore.get('pets/a')).toBeNull();
    await sdk.enableNetwork(db);
    await Promise.all(pending);
    expect(backend.firestore.get('pets/a')).toMatchObject({ n: 6 });
  });

  it('retries a transaction that met another one, so that no increment is lost', async () => {
    const backend = await startBackend();
    const { db, uid } = await sdkUser(sdk, backend.port);
    const head = sdk.doc(db, 'sync', uid);
    const raise = () =>
      sdk.runTransaction(db, async (transaction) => {
        const snapshot = await transaction.get(head);
        const value: unknown = snapshot.get('head');
        transaction.set(head, { head: (typeof value === 'number' ? value : 0) + 1, epoch: 'e' });
      });
    await Promise.all([raise(), raise()]);
    expect(backend.firestore.get(`sync/${uid}`)).toEqual({ head: 2, epoch: 'e' });
  });
});
