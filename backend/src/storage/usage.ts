import type { Limits } from '../limits/defaults.ts';
import { numberAt, type KeyValueStore, type StoreOperation } from '../store/key-value-store.ts';
import { StorageError } from './storage-error.ts';

export interface Charge {
  readonly files: number;
  readonly bytes: number;
}

export interface BodyLimit {
  readonly maxBytes: number;
  readonly tooMuch: StorageError;
}

export interface FileUsageDeps {
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly limits: Pick<Limits, 'maxFilesPerOwner' | 'maxFileBytesPerOwner'>;
  readonly shortage: () => string | null;
}

type Counter = 'files' | 'bytes' | 'uploads';

const keyOf = (owner: string, counter: Counter): string => `storage/usage/${counter}/${owner}`;

export function chargeOperations(
  owner: string | null,
  charge: Partial<Record<Counter, number>>,
): readonly StoreOperation[] {
  if (owner === null) return [];
  return (['files', 'bytes', 'uploads'] as const).flatMap((counter): StoreOperation[] => {
    const amount = charge[counter] ?? 0;
    return amount === 0 ? [] : [{ type: 'add', key: keyOf(owner, counter), amount }];
  });
}

export type FileUsage = ReturnType<typeof createFileUsage>;

/**
 * Counts the number and total size of the files of each user, including unfinished uploads.
 *
 * - The usage is stored in the write that changes the files.
 * - All anonymous callers are one owner (the empty text); the process itself (null) is not charged.
 * - Bytes are checked as they arrive, together with the stored ones and with those of other uploads in flight.
 */
export function createFileUsage({ store, limits, shortage }: FileUsageDeps) {
  const coming = new Map<string, number>();
  const come = (owner: string | null, bytes: number) => {
    if (owner === null) return;
    const sum = (coming.get(owner) ?? 0) + bytes;
    if (sum === 0) coming.delete(owner);
    else coming.set(owner, sum);
  };

  /** @throws {StorageError} when there is no room for more of this owner, or for any owner. */
  const check = (owner: string | null, { files, bytes }: Charge) => {
    const reason = shortage();
    if (reason !== null) throw new StorageError('no-room', reason);
    if (owner === null) return;
    const { maxFilesPerOwner, maxFileBytesPerOwner } = limits;
    const allBytes = numberAt(store, keyOf(owner, 'bytes')) + (coming.get(owner) ?? 0) + bytes;
    if (numberAt(store, keyOf(owner, 'files')) + files > maxFilesPerOwner) {
      throw overQuota(`${maxFilesPerOwner.toLocaleString('en')} files`);
    }
    if (allBytes > maxFileBytesPerOwner) {
      throw overQuota(`${maxFileBytesPerOwner.toLocaleString('en')} bytes of files`);
    }
  };

  return {
    check,
    activeUploads: (owner: string | null) =>
      owner === null ? 0 : numberAt(store, keyOf(owner, 'uploads')),
    /**
     * Passes a body on and counts its bytes.
     * @throws {StorageError} when there is no room for more, and `tooMuch` above `maxBytes`.
     */
    async *meter(owner: string | null, body: AsyncIterable<Uint8Array>, limit: BodyLimit) {
      let counted = 0;
      try {
        for await (const piece of body) {
          if (counted + piece.length > limit.maxBytes) throw limit.tooMuch;
          check(owner, { files: 0, bytes: piece.length });
          counted += piece.length;
          come(owner, piece.length);
          yield piece;
        }
      } finally {
        come(owner, -counted);
      }
    },
  };
}

const overQuota = (what: string): StorageError =>
  new StorageError('over-quota', `An owner can have at most ${what}.`);
