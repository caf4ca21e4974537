import { expect, onTestFinished } from 'vitest';
import { eventually } from './eventually.ts';
import type { BrowserSdk } from './clients/sdk-bundle.ts';
import type { sdkUser } from './clients/sdk-user.ts';

export type SdkUser = Awaited<ReturnType<typeof sdkUser>>;

/** Records every snapshot of a document: its data, or null, and whether it came from the cache. */
export function watch(sdk: BrowserSdk, { db }: SdkUser, path: string) {
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
  /** Waits until the latest snapshot is this one, confirmed by the server. */
  const shows = (data: unknown) =>
    eventually(() => expect(seen.at(-1)).toEqual({ data, fromCache: false }));
  return { seen, errors, shows };
}
