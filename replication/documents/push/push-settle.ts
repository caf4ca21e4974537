import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { refKey } from '../../ports.ts';
import { baseOf, sameContent } from '../merge/content.ts';

/**
 * Returns a copy after the server accepted it under that seq. If it was edited meanwhile, it stays pending, forked from
 * the pushed content. If another engine has updated it, it is left alone, since that engine has seen more.
 */
export function settled(stored: LocalDocument, pushed: LocalDocument, seq: number): LocalDocument {
  if (stored.seq !== pushed.seq || stored.pending === 0) return stored;
  if (stored.rev === pushed.rev && sameContent(stored, pushed)) {
    return { ...stored, pending: 0, seq, base: null, code: null };
  }
  return { ...stored, seq, base: baseOf(pushed) };
}

/** Whether every written document has a copy with its seq among the changed ones. */
export function areSettled(
  written: readonly { readonly document: LocalDocument; readonly seq: number }[],
  changed: readonly LocalDocument[],
): boolean {
  const seqs = new Map(changed.map((copy) => [refKey(copy), copy.seq]));
  return written.every(({ document, seq }) => seqs.get(refKey(document)) === seq);
}

/**
 * Returns a parked copy. Content and base stay, so that a later retry merges as usual. An edit that was made meanwhile
 * is pushed.
 */
export function parked(stored: LocalDocument, pushed: LocalDocument, code: string): LocalDocument {
  const isSame = stored.rev === pushed.rev && stored.seq === pushed.seq;
  return isSame && stored.pending === 1 ? { ...stored, pending: 2, code } : stored;
}

/** Returns a tombstone that needs no push, since the server never had the document. */
export function dropped(stored: LocalDocument, pushed: LocalDocument): LocalDocument {
  const isSame = stored.rev === pushed.rev && stored.seq === pushed.seq;
  return isSame ? { ...stored, pending: 0, base: null, code: null } : stored;
}
