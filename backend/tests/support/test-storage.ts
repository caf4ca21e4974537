import { once } from 'node:events';
import { admin } from '../../src/caller.ts';
import { defaultLimits, type Limits } from '../../src/limits/defaults.ts';
import { silentLog } from '../../src/log.ts';
import type { StorageAccessPolicy } from '../../src/storage/access-policy.ts';
import { defaultSettings } from '../../src/storage/objects/object-settings.ts';
import type { UploadBody } from '../../src/storage/uploads/takeover.ts';
import { StorageError } from '../../src/storage/storage-error.ts';
import { openStorage } from '../../src/storage/storage.ts';
import { createManualClock, type ManualClock } from './fakes/manual-clock.ts';
import { createMemoryStore, type MemoryStore } from './fakes/memory-store.ts';
import { tempFolder } from './temp-folder.ts';

export interface TestStorageOptions {
  readonly folder?: string;
  readonly store?: MemoryStore;
  readonly clock?: ManualClock;
  readonly policy?: StorageAccessPolicy;
  readonly limits?: Partial<Limits>;
  readonly shortage?: () => string | null;
}

/** The core of Storage on a real folder; opened again with the same folder and store it is a restart. */
export async function openTestStorage(options: TestStorageOptions = {}) {
  const { store = createMemoryStore(), policy = () => true } = options;
  const clock = options.clock ?? createManualClock(Date.now());
  const folder = options.folder ?? (await tempFolder());
  const { shortage = () => null } = options;
  const limits = { ...defaultLimits, maxUploadBytes: 1_000_000, ...options.limits };
  const common = { limits, shortage, store, folder, clock, policy };
  const storage = await openStorage({ ...common, bucketName: 'bucket', log: silentLog });
  return { storage, store, folder, clock };
}

export type TestStorage = Awaited<ReturnType<typeof openTestStorage>>['storage'];

export const aliceCaller = { uid: 'alice', claims: {}, expiresAtMs: Infinity };
export const bobCaller = { uid: 'bob', claims: {}, expiresAtMs: Infinity };

export async function* bytesOf(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

export const target = (name: string, more = {}) => ({
  name,
  settings: defaultSettings,
  md5Hash: null,
  announcedSize: null,
  ...more,
});

export const put = (storage: TestStorage, name: string, text: string) =>
  storage.upload(aliceCaller, { ...target(name), body: bytesOf(text) });

export const namesOf = (bucket: TestStorage['bucket']): readonly string[] =>
  bucket.list(admin, { prefix: '', delimiter: '', maxResults: Infinity, after: null }).items;

export async function textOf(storage: TestStorage, name: string): Promise<string> {
  const { file } = await storage.bucket.open(aliceCaller, name);
  try {
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

export const piece = (text: string, offset: number | null, isLast = false) => ({
  offset,
  isLast,
  body: { bytes: bytesOf(text), abort: () => undefined },
});

/** A body that sends a text and then hangs until it is aborted. */
export function hangingBody(text: string): UploadBody {
  const aborted = new AbortController();
  async function* bytes() {
    yield Buffer.from(text);
    if (!aborted.signal.aborted) await once(aborted.signal, 'abort');
    throw new StorageError('interrupted', 'The body ended before it was complete.');
  }
  return { bytes: bytes(), abort: () => aborted.abort() };
}
