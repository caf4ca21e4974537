import { newDocument, type LocalDocument } from '../../schemas/document.ts';
import type { Fields } from '../../schemas/sync-state.ts';
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
