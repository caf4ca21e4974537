import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { importBrowserSdk, type BrowserSdk } from './support/sdk-bundle.ts';
import { sdkUser } from './support/sdk-user.ts';
import { startBackend } from './support/start-backend.ts';

let sdk: BrowserSdk;
beforeAll(async () => {
  sdk = await importBrowserSdk();
});

type User = Awaited<ReturnType<typeof sdkUser>>;

/** Every snapshot of a document: its data, or null, and whether it came from the cache. */
function watch({ db }: User, path: string) {
  const seen: { data: unknown; fromCache: boolean }[] = [];
  const errors: string[] = [];
  const stop = sdk.onSnapshot(
    sdk.doc(db, path),
    { includeMetadataChanges: true },
    (snapshot) => {
      seen.push({ data: snapshot.data() ?? null, fromCache: snapshot.metadata.fromCache });
    },
    (error) => errors.push(error.code),
  );
  onTestFinished(stop);
  return { seen, errors, stop };
}

const last = <T>(items: readonly T[]): T | undefined => items.at(-1);

describe('a listener on one document, in the browser build of the SDK', () => {
  it('tells that the document is missing, then its creation, change and deletion', async () => {
    const backend = await startBackend();
    const user = await sdkUser(sdk, backend.port);
    const path = `sync/${user.uid}`;
    const { seen } = watch(user, path);
    await vi.waitFor(() => expect(last(seen)).toEqual({ data: null, fromCache: false }));

    await backend.firestore.commit([{ set: path, data: { head: 1 } }]);
    await vi.waitFor(() => expect(last(seen)).toEqual({ data: { head: 1 }, fromCache: false }));
    await backend.firestore.commit([{ set: path, data: { head: 2 } }]);
    await vi.waitFor(() => expect(last(seen)).toEqual({ data: { head: 2 }, fromCache: false }));
    await backend.firestore.commit([{ delete: path }]);
    await vi.waitFor(() => expect(last(seen)).toEqual({ data: null, fromCache: false }));
  });
});
