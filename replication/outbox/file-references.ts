import type { LocalDocument } from '../../schemas/document.ts';
import { fileOf } from '../../schemas/remove-file.ts';
import type { SyncedCollection } from '../../schemas/sync-state.ts';
import type { DocumentStore } from '../../store/document-store.ts';
import { pagesOf } from '../../store/pages.ts';
import type { FileCaches } from '../../store/files/file-caches.ts';

/** Who speaks of files, of those that were asked about. */
export interface FileReferences {
  /** Documents that are not deleted: a deletion taken back, or an entry moved to another dog. */
  readonly live: ReadonlySet<string>;
  /** Other versions, which their owner may restore, and those that are being restored. */
  readonly kept: ReadonlySet<string>;
}

const pageSize = 500;

async function* liveDocuments(
  store: Pick<DocumentStore, 'listAll'>,
  collection: SyncedCollection,
): AsyncGenerator<LocalDocument> {
  for await (const page of pagesOf((at) => store.listAll(collection, at), pageSize)) {
    for (const { document } of page) if (!document.deleted) yield document;
  }
}

/**
 * Ids of deleted documents that can be restored, or were restored and wait for their file: what this device has of their
 * files stays until then.
 */
export async function findRestorable(
  store: Pick<DocumentStore, 'listRecords'>,
): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (const record of (await store.listRecords('loser')).values()) {
    if (record.kind === 'loser' && record.reason === 'deleted') ids.add(record.documentId);
  }
  for (const record of (await store.listRecords('place-file')).values()) {
    if (record.kind === 'place-file') ids.add(record.sourceId);
  }
  return ids;
}

/** Pets of which a picture is here though they are deleted or unknown, and cannot be restored. */
export async function findPetsGone(
  store: Pick<DocumentStore, 'get' | 'listRecords'>,
  files: Pick<FileCaches, 'pictures'>,
): Promise<ReadonlySet<string>> {
  const petIds = new Set((await files.pictures()).map(({ documentId }) => documentId));
  if (petIds.size === 0) return petIds;
  const pets = await store.get('pets', [...petIds]);
  const restorable = await findRestorable(store);
  const isGone = (id: string): boolean =>
    pets.get(id)?.document.deleted !== false && !restorable.has(id);
  return new Set([...petIds].filter(isGone));
}

/** Looks through everything, since no index knows of files: to be asked only if there is something to remove. */
export async function findFileReferences(
  store: Pick<DocumentStore, 'listAll' | 'listRecords'>,
  names: ReadonlyMap<string, SyncedCollection>,
): Promise<FileReferences> {
  const live = new Set<string>();
  for (const collection of new Set(names.values())) {
    for await (const document of liveDocuments(store, collection)) {
      const name = fileOf(document);
      if (name !== null && names.has(name)) live.add(name);
    }
  }
  const kept = new Set<string>();
  for (const record of (await store.listRecords('place-file')).values()) {
    if (record.kind === 'place-file' && record.objectName !== null) kept.add(record.objectName);
  }
  for (const record of (await store.listRecords('loser')).values()) {
    const name = record.kind === 'loser' ? fileOf(record) : null;
    if (name !== null) kept.add(name);
  }
  return { live, kept };
}
