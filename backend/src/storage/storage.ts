import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import type { Limits } from '../limits/defaults.ts';
import type { KeyValueStore } from '../store/key-value-store.ts';
import { createPending } from '../store/pending.ts';
import type { StorageAccessPolicy } from './access-policy.ts';
import { createBucket, type Bucket } from './objects/bucket.ts';
import { openFileStore, type FileStore } from './file-store.ts';
import { createOneShotUpload } from './uploads/one-shot-upload.ts';
import { createObjectTable, type ObjectTable } from './objects/object-table.ts';
import { createResumableUploads, type ResumableUploads } from './uploads/resumable-uploads.ts';
import { createUploadSessions } from './uploads/upload-sessions.ts';
import { createFileUsage } from './usage.ts';

export interface Storage {
  readonly bucket: Bucket;
  readonly upload: ReturnType<typeof createOneShotUpload>;
  readonly resumable: ResumableUploads;
  sweep(): Promise<void>;
  /** Waits for uploads in progress, whose connections must be closed before. */
  stop(): Promise<void>;
}

export interface StorageDeps {
  readonly store: KeyValueStore;
  readonly folder: string;
  readonly bucketName: string;
  readonly policy: StorageAccessPolicy;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Limits;
  /** Returns the reason to refuse writes that make the store grow; null while there is room. */
  readonly shortage: () => string | null;
}

const hourMs = 3_600_000;
const sessionDays = 7;
const orphanDays = 1;
const newId = (): string => randomBytes(24).toString('base64url');

/**
 * - Uploads that were not continued for a week are dropped, as on hosted Firebase.
 * - A file without a record (after a crash or a failed removal) is removed when it is a day old, since no file that is
 *   still being written is that old.
 */
export async function openStorage(deps: StorageDeps): Promise<Storage> {
  const { store, clock, policy, log, limits } = deps;
  const files = await openFileStore(deps.folder);
  const table = createObjectTable(store);
  const sessions = createUploadSessions(store);
  const usage = createFileUsage({ store, limits, shortage: deps.shortage });
  const nowMs = () => clock.now();
  const bucket = createBucket({
    bucket: deps.bucketName,
    store,
    files,
    table,
    policy,
    nowMs,
    newToken: randomUUID,
  });
  const running = createPending();
  const common = { bucket, files, usage, newId, maxBytes: limits.maxUploadBytes };
  const oneShot = createOneShotUpload(common);
  const resumable = createResumableUploads({ ...common, table, sessions, nowMs });

  const sweep = async () => {
    await resumable.sweep(nowMs() - sessionDays * 24 * hourMs);
    await sweepFiles({ files, table, resumable }, nowMs() - orphanDays * 24 * hourMs);
  };
  let sweeping: Promise<void> = Promise.resolve();
  const sweepLater = () => {
    sweeping = sweep().catch((error: unknown) => log.error('sweep failed', describeError(error)));
  };
  sweepLater();
  const stopSweeping = clock.every(hourMs, sweepLater);
  return {
    bucket,
    upload: (caller, upload) => running.add(oneShot(caller, upload)),
    resumable: {
      ...resumable,
      write: (user, id, piece) => running.add(resumable.write(user, id, piece)),
    },
    sweep,
    async stop() {
      stopSweeping();
      await sweeping;
      await running.settled();
      await bucket.idle();
    },
  };
}

interface Swept {
  readonly files: FileStore;
  readonly table: ObjectTable;
  readonly resumable: ResumableUploads;
}

async function sweepFiles({ files, table, resumable }: Swept, beforeMs: number): Promise<void> {
  const old = await files.olderThan(beforeMs);
  const isNeeded = (id: string) => table.ofFile(id) !== null || resumable.isKnown(id);
  for (const id of old.files) if (!isNeeded(id)) await files.remove(id);
  for (const id of old.parts) if (!resumable.isKnown(id)) await files.removePart(id);
}
