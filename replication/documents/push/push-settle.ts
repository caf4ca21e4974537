import type { LocalDocument } from '../../../schemas/documents/document.ts';
import { refKey } from '../../ports.ts';
import { baseOf, sameContent } from '../merge/content.ts';

/**
 * A copy after the server took what was pushed, under that seq. Edited meanwhile, it waits again, forked from what was
 * pushed. Left alone if another engine moved it on: that one has seen more.
 */
export function settled(stored: LocalDocument, pushed: LocalDocument, seq: number): LocalDocument {
  if (stored.seq !== pushed.seq || stored.pending === 0) return stored;
  if (stored.rev === pushed.rev && sameContent(stored, pushed)) {
    return { ...stored, pending: 0, seq, base: null, code: null };
  }
  return { ...stored, seq, base: baseOf(pushed) };
}

/** Every document that was written under a seq has a copy with that seq among those that were changed then. */
export function areSettled(
  written: readonly { readonly document: LocalDocument; readonly seq: number }[],
  changed: readonly LocalDocument[],
): boolean {
  const seqs = new Map(changed.map((copy) => [refKey(copy), copy.seq]));
  return written.every(({ document, seq }) => seqs.get(refKey(document)) === seq);
}

/**
 * A copy that cannot be pushed. Content and ancestor stay, so that a later try merges as if nothing had happened. An edit
 * made meanwhile gets its own try.
 */
export function parked(stored: LocalDocument, pushed: LocalDocument, code: string): LocalDocument {
  const isSame = stored.rev === pushed.rev && stored.seq === pushed.seq;
  return isSame && stored.pending === 1 ? { ...stored, pending: 2, code } : stored;
}

/** A tombstone of something that the server never had. */
export function dropped(stored: LocalDocument, pushed: LocalDocument): LocalDocument {
  const isSame = stored.rev === pushed.rev && stored.seq === pushed.seq;
  return isSame ? { ...stored, pending: 0, base: null, code: null } : stored;
}
