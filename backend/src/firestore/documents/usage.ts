import type { Limits } from '../../limits/defaults.ts';
import { numberAt, type KeyValueStore, type StoreOperation } from '../../store/key-value-store.ts';
import { FirestoreError } from '../firestore-error.ts';
import type { DocumentChange, StoredDocument } from '../values/document.ts';
import { storedSize } from '../values/value-measure.ts';

/** The number and the total size of the documents that an owner has created. */
export interface Usage {
  readonly documents: number;
  readonly bytes: number;
}

const limitNames = {
  documents: 'maxDocumentsPerOwner',
  bytes: 'maxDocumentBytesPerOwner',
} as const;

const keyOf = (uid: string, name: keyof Usage): string => `fs/q/${name}/${uid}`;

export type UsageGroup = ReturnType<typeof createUsageGroup>;

export interface UsageDeps {
  readonly store: Pick<KeyValueStore, 'get'>;
  readonly limits: Pick<Limits, (typeof limitNames)[keyof Usage]>;
  /** Returns the reason to refuse commits that make the store grow; null while there is room. */
  readonly shortage: () => string | null;
}

/**
 * Charges the commits that are stored in one write.
 *
 * - The usage is stored in the write that changes the documents.
 * - A commit that raises the usage of an owner above the limits is refused; one that lowers it never is.
 * - On a full disk only commits are taken that do not make the documents larger, since an application may delete by a write
 *   of a small document.
 */
export function createUsageGroup({ store, limits, shortage }: UsageDeps) {
  let charged: ReadonlyMap<string, Usage> = new Map();

  const check = (uid: string, name: keyof Usage, sums: ReadonlyMap<string, Usage>) => {
    const [former, sum] = [charged.get(uid)?.[name] ?? 0, sums.get(uid)?.[name] ?? 0];
    const max = limits[limitNames[name]];
    if (sum <= former || numberAt(store, keyOf(uid, name)) + sum <= max) return;
    const limit = max.toLocaleString('en');
    const what = name === 'bytes' ? `${limit} bytes of documents` : `${limit} documents`;
    throw new FirestoreError('RESOURCE_EXHAUSTED', `An owner can have at most ${what}.`);
  };

  return {
    /** Charges a commit, after the earlier ones of the group. @throws {FirestoreError} RESOURCE_EXHAUSTED */
    charge(changes: readonly DocumentChange[], isLimited: boolean) {
      const sums = new Map(charged);
      let growth = 0;
      const add = (document: StoredDocument | null, sign: number) => {
        const size = sign * storedSize(document);
        growth += size;
        if (document === null || document.owner === null) return;
        const { documents, bytes } = sums.get(document.owner) ?? { documents: 0, bytes: 0 };
        sums.set(document.owner, { documents: documents + sign, bytes: bytes + size });
      };
      for (const { before, after } of changes) {
        add(before, -1);
        add(after, 1);
      }
      if (isLimited) {
        const reason = growth > 0 ? shortage() : null;
        if (reason !== null) throw new FirestoreError('RESOURCE_EXHAUSTED', reason);
        for (const uid of sums.keys()) {
          check(uid, 'documents', sums);
          check(uid, 'bytes', sums);
        }
      }
      charged = sums;
    },
    operations: () =>
      [...charged].flatMap(([uid, { documents, bytes }]): StoreOperation[] => [
        { type: 'add', key: keyOf(uid, 'documents'), amount: documents },
        { type: 'add', key: keyOf(uid, 'bytes'), amount: bytes },
      ]),
  };
}
