import { newDocument, type LocalDocument } from '../../schemas/documents/document.ts';
import { newId } from '../../src/platform/new-id.ts';

export const petId = 'BenchPet000000000001';
export const ownerUid = 'bench-owner';

/** The text is about as long as the notes that owners write. */
export const noteText =
  'Long walk along the dyke. She sat for the cyclists without being asked, and left the geese alone until the very last.';

const firstDateMs = Date.UTC(2020, 0, 1);
const betweenEntriesMs = 60 * 60 * 1_000;

export function newPet(nowMs: number): LocalDocument {
  const identity = { collection: 'pets', id: petId, ownerId: ownerUid, petId: null } as const;
  return newDocument(identity, { name: 'Bramble' }, nowMs);
}

/** Returns dogs with random ids. */
export function newPack(count: number): LocalDocument[] {
  return Array.from({ length: count }, () => ({ ...newPet(firstDateMs), id: newId() }));
}

/** Epoch milliseconds. */
export function dateOfEntry(index: number): number {
  return firstDateMs + index * betweenEntriesMs;
}

/** Returns pending entries with random ids, one an hour. */
export function newEntries(count: number): LocalDocument[] {
  return Array.from({ length: count }, (_, index) => {
    const createdDate = dateOfEntry(index);
    const identity = { collection: 'entries', id: newId(), ownerId: ownerUid, petId } as const;
    return newDocument(identity, { createdDate, type: 'note', text: noteText }, createdDate);
  });
}

/** Returns the copies that a device has after the sync. */
export function asSynced(documents: readonly LocalDocument[], firstSeq: number): LocalDocument[] {
  return documents.map((document, index) => ({ ...document, pending: 0, seq: firstSeq + index }));
}

export function inPieces<Item>(items: readonly Item[], size: number): Item[][] {
  const pieces: Item[][] = [];
  for (let start = 0; start < items.length; start += size) {
    pieces.push(items.slice(start, start + size));
  }
  return pieces;
}
