import { newerSchemaCode, type LocalDocument } from '../../schemas/documents/document.ts';

/**
 * A copy that no longer knows what the server has: it waits to be merged with whatever is there, and is pushed if the
 * server lost it. A copy that this client could not read is kept, but never pushed.
 */
export function markUnsynced(stored: LocalDocument): LocalDocument {
  const isReadOnly = stored.pending === 0 && stored.code === newerSchemaCode;
  const pending = stored.pending === 0 && !isReadOnly ? 1 : stored.pending;
  const isUnbased = stored.seq === null && stored.base === null && stored.pending === pending;
  return isUnbased ? stored : { ...stored, pending, seq: null, base: null };
}
