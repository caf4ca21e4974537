import type { Clock } from '../clock.ts';
import { describeError, type Log } from '../log.ts';
import type { Limits } from '../limits/defaults.ts';
import type { KeyValueStore } from '../store/key-value-store.ts';
import { createPending } from '../store/pending.ts';
import type { StorageAccessPolicy } from './access-policy.ts';
import { createBucket } from './objects/bucket.ts';
import { openFileStore } from './file-store.ts';
import { createOneShotUpload } from './uploads/one-shot-upload.ts';
import { createResumableUploads } from './uploads/resumable-uploads.ts';
import { createUploadSessions } from './uploads/upload-sessions.ts';
import { createFileUsage } from './usage.ts';

interface StorageDeps {
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

export type Storage = Awaited<ReturnType<typeof openStorage>>;

/**
 * - Uploads that were not continued for a week are dropped, as on hosted Firebase.
 * - A file without a record (after a crash or a failed removal) is removed when it is a day old, since no file that is
 *   still being written is that old.
 */
export async function openStorage(deps: StorageDeps) {
  const { store, clock, policy, log, limits } = deps;
  const files = await openFileStore(deps.folder);
  const sessions = createUploadSessions(store);
  const usage = createFileUsage({ store, limits, shortage: deps.shortage });
  const nowMs = () => clock.now();
  const bucket = createBucket({ bucket: deps.bucketName, store, files, policy, nowMs });
  const running = createPending();
  const common = { bucket, files, usage, maxBytes: limits.maxUploadBytes };
  const oneShot = createOneShotUpload(common);
  const resumable = createResumableUploads({ ...common, sessions, nowMs });

  const sweep = async () => {
    await resumable.sweep(nowMs() - sessionDays * 24 * hourMs);
    const isNeeded = (id: string) => bucket.ofFile(id) !== null || resumable.isKnown(id);
    await files.removeOld(nowMs() - orphanDays * 24 * hourMs, isNeeded);
  };
  const onFailure = (error: unknown) => log.error('sweep failed', describeError(error));
  const sweepLater = () => void running.add(sweep().catch(onFailure));
  sweepLater();
  const stopSweeping = clock.every(hourMs, sweepLater);
  return {
    bucket,
    upload: (...upload: Parameters<typeof oneShot>) => running.add(oneShot(...upload)),
    resumable: {
      ...resumable,
      write: (...piece: Parameters<typeof resumable.write>) =>
        running.add(resumable.write(...piece)),
    },
    sweep,
    /** Waits for the sweep and for uploads in progress, whose connections must be closed before. */
    async stop() {
      stopSweeping();
      await running.settled();
      await bucket.idle();
    },
  };
}
