import type { Limits } from '../limits/defaults.ts';
import { numberAt, type KeyValueStore, type StoreOperation } from '../store/key-value-store.ts';
import { StorageError } from './storage-error.ts';

type Body = AsyncIterable<Uint8Array>;
/** Passes a body on; throws `tooMuch` above `maxBytes`, and another `StorageError` when there is no room for more. */
type Meter = (body: Body, maxBytes: number, tooMuch: StorageError) => Body;

export interface FileUsageDeps {
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly limits: Pick<Limits, 'maxFilesPerOwner' | 'maxFileBytesPerOwner'>;
  readonly shortage: () => string | null;
}

type Counter = 'files' | 'bytes' | 'uploads';

const keyOf = (owner: string, counter: string): string => `storage/usage/${counter}/${owner}`;

export const chargeOperations = (
  owner: string | null,
  charge: Partial<Record<Counter, number>>,
): readonly StoreOperation[] =>
  owner === null
    ? []
    : Object.entries(charge).map(([counter, amount]) => ({
        type: 'add',
        key: keyOf(owner, counter),
        amount,
      }));

/**
 * @param putsOf returns the operations that store a record and charge its owner.
 * @returns a function that returns the operations that replace `before` by `after`; null stands for no record.
 */
export const replacing =
  <R>(putsOf: (record: R) => readonly StoreOperation[]) =>
  (before: R | null, after: R | null): readonly StoreOperation[] => [
    ...(before === null ? [] : putsOf(before).map(undo)),
    ...(after === null ? [] : putsOf(after)),
  ];

const undo = (operation: StoreOperation): StoreOperation =>
  operation.type === 'add'
    ? { ...operation, amount: -operation.amount }
    : { type: 'del', key: operation.key };

export type FileUsage = ReturnType<typeof createFileUsage>;

/**
 * Counts the number and total size of the files of each user, including unfinished uploads.
 *
 * - The usage is stored in the write that changes the files.
 * - All anonymous callers are one owner (the empty text); the process itself (null) is not charged.
 * - The file and the bytes of an upload are checked as they arrive, and are reserved until the upload ends. Concurrent
 *   uploads therefore cannot exceed the limits together.
 */
export function createFileUsage({ store, limits, shortage }: FileUsageDeps) {
  /** The amounts that requests in progress have reserved, by the keys of their counters. */
  const reserved = new Map<string, number>();
  const reserve = (owner: string | null, counter: Counter | null, amount: number) => {
    if (owner === null || counter === null) return;
    const key = keyOf(owner, counter);
    const sum = (reserved.get(key) ?? 0) + amount;
    if (sum === 0) reserved.delete(key);
    else reserved.set(key, sum);
  };
  const countOf = (owner: string, counter: Counter): number => {
    const key = keyOf(owner, counter);
    return numberAt(store, key) + (reserved.get(key) ?? 0);
  };

  /** @throws {StorageError} when there is no room for more of this owner, or for any owner. */
  const check = (owner: string | null, files: number, bytes: number) => {
    const reason = shortage();
    if (reason !== null) throw new StorageError('no-room', reason);
    if (owner === null) return;
    const { maxFilesPerOwner, maxFileBytesPerOwner } = limits;
    // An unfinished upload will be a file.
    const allFiles = countOf(owner, 'files') + countOf(owner, 'uploads') + files;
    if (files > 0 && allFiles > maxFilesPerOwner) {
      throw overQuota(`${maxFilesPerOwner.toLocaleString('en')} files`);
    }
    if (countOf(owner, 'bytes') + bytes > maxFileBytesPerOwner) {
      throw overQuota(`${maxFileBytesPerOwner.toLocaleString('en')} bytes of files`);
    }
  };

  return {
    check,
    activeUploads: (owner: string) => countOf(owner, 'uploads'),
    /** Runs a request. Until its end, the file or upload that it starts counts, and the bytes that it meters. */
    async run<Result>(
      owner: string | null,
      started: 'files' | 'uploads' | null,
      request: (meter: Meter) => Promise<Result>,
    ): Promise<Result> {
      let counted = 0;
      reserve(owner, started, 1);
      try {
        return await request(async function* meter(body, maxBytes, tooMuch) {
          for await (const piece of body) {
            if (counted + piece.length > maxBytes) throw tooMuch;
            check(owner, 0, piece.length);
            counted += piece.length;
            reserve(owner, 'bytes', piece.length);
            yield piece;
          }
        });
      } finally {
        reserve(owner, started, -1);
        reserve(owner, 'bytes', -counted);
      }
    },
  };
}

const overQuota = (what: string): StorageError =>
  new StorageError('over-quota', `An owner can have at most ${what}.`);
