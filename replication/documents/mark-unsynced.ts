import { newerSchemaCode, type LocalDocument } from '../../schemas/documents/document.ts';

/**
 * Returns a copy that forgets the server's state: it is merged with the server's document, and pushed if the server
 * lost it. A copy that this client could not read is kept, but never pushed.
 */
export function markUnsynced(stored: LocalDocument): LocalDocument {
  const isReadOnly = stored.pending === 0 && stored.code === newerSchemaCode;
  const pending = stored.pending === 0 && !isReadOnly ? 1 : stored.pending;
  const isUnsynced = stored.seq === null && stored.base === null && stored.pending === pending;
  return isUnsynced ? stored : { ...stored, pending, seq: null, base: null };
}
