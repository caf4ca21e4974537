import { feedKey } from '../../../../schemas/documents/feed-key.ts';
import { feedPageSize } from '../../../../schemas/limits.ts';
import type { JournalRange } from '../feed/feed-ranges.ts';
import type { SendingNote } from './sending-notes.ts';

/** A note in flight to the local store. It is shown at once, and removed when its stored entry is shown. */
export interface OutgoingNote extends SendingNote {
  /** Whether the note is durable on this device. */
  readonly isStored: boolean;
}

/** The newest range of the feed, as far as it is read. */
export type NewestRange = Pick<JournalRange, 'rows' | 'until'>;

/**
 * Returns the feed key of the oldest entry in the range; null if the range holds all older entries. Higher keys lie
 * outside.
 */
function endOf({ rows, until }: NewestRange): string | null {
  return until ?? rows?.[feedPageSize - 1]?.feedKey ?? null;
}

/**
 * Returns the notes to show below the feed: those without an entry in the feed or further up, where a slow clock puts
 * it.
 */
export function withoutShown(
  outgoing: readonly OutgoingNote[],
  newest: NewestRange | undefined,
): readonly OutgoingNote[] {
  if (!newest?.rows) return outgoing;
  const rowIds = new Set(newest.rows.map(({ id }) => id));
  const end = endOf(newest);
  const isFurtherUp = ({ id, sentMs }: OutgoingNote): boolean =>
    end !== null && feedKey(sentMs, id) > end;
  return outgoing.filter((note) => !rowIds.has(note.id) && !(note.isStored && isFurtherUp(note)));
}
