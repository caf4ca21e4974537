import { newDocument, type LocalDocument } from '../../schemas/document.ts';
import type { Fields } from '../../schemas/sync-state.ts';
import type { RemoteDocument } from '../../replication/ports.ts';
import { uid } from './sync-harness.ts';

export function newPet(id: string, fields: Fields = { name: 'Rex' }, nowMs = 1_000): LocalDocument {
  return newDocument({ collection: 'pets', id, ownerId: uid, petId: null }, fields, nowMs);
}

export interface NewEntry {
  readonly id: string;
  readonly petId: string;
  readonly fields?: Fields;
  readonly nowMs?: number;
}

export function newEntry({ id, petId, fields, nowMs = 1_000 }: NewEntry): LocalDocument {
  const content = { createdDate: nowMs, type: 'note', text: `text of ${id}`, ...fields };
  return newDocument({ collection: 'entries', id, ownerId: uid, petId }, content, nowMs);
}

/** The document as the server has it. */
export function onServer(
  document: LocalDocument,
  seq: number,
  newerSchema = false,
): RemoteDocument {
  const { collection, id, petId, ownerId, fields, edits, deleted } = document;
  const identity = { collection, id, petId, ownerId };
  return { ...identity, fields, edits, deleted, seq, updatedAtMs: 1_000, newerSchema };
}

/** A clean copy, as it is after a sync. */
export function clean(document: LocalDocument, seq: number): LocalDocument {
  return { ...document, pending: 0, seq, base: null };
}
