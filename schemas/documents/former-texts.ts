import { formerTextsKeptMs, formerTextsMaxLength } from '../limits.ts';
import type { FieldValue, Fields } from './sync-state.ts';
import { textAuthor } from './text-author.ts';

/**
 * A text that an entry had before an edit. Former texts are synced with the entry, in one field, so that each of the
 * owner's devices has them. The field is JSON, newest first. It exists from the first edit on, even if all its texts
 * have expired.
 */
export interface FormerText {
  readonly text: string;
  /** Epoch milliseconds of the corrected clock at which it was replaced. */
  readonly untilMs: number;
}

function isFormerText(value: unknown): value is FormerText {
  if (typeof value !== 'object' || value === null) return false;
  if (!('text' in value) || !('untilMs' in value)) return false;
  return typeof value.text === 'string' && typeof value.untilMs === 'number';
}

/**
 * @param stored the field `formerTexts` of an entry. @returns newest first; empty if the field is absent or unreadable.
 */
export function readFormerTexts(stored: FieldValue | undefined): readonly FormerText[] {
  if (typeof stored !== 'string') return [];
  try {
    const parsed: unknown = JSON.parse(stored);
    return Array.isArray(parsed) ? parsed.filter(isFormerText) : [];
  } catch {
    return [];
  }
}

/** A total order, so that every device writes the same result. */
function isLater(one: FormerText, other: FormerText): boolean {
  return one.untilMs === other.untilMs ? one.text > other.text : one.untilMs > other.untilMs;
}

/** Returns the field: each text once, with its last replacement. The oldest texts are dropped if the field is full. */
function toStored(texts: readonly FormerText[]): string {
  const sorted = texts.toSorted((one, other) => (isLater(one, other) ? -1 : 1));
  const kept = new Map<string, string>();
  let length = '[]'.length;
  for (const { text, untilMs } of sorted) {
    if (kept.has(text)) continue;
    const item = JSON.stringify({ text, untilMs });
    length += item.length + 1;
    if (length > formerTextsMaxLength) break;
    kept.set(text, item);
  }
  return `[${[...kept.values()].join(',')}]`;
}

/** Returns the union of both copies' former texts. It is the same on every device. */
export function uniteFormerTexts(
  one: FieldValue | undefined,
  other: FieldValue | undefined,
): string {
  return toStored([...readFormerTexts(one), ...readFormerTexts(other)]);
}

/**
 * Returns the field `formerTexts` after an edit: a replaced text is added, unless a machine replaces a machine's text.
 * @param changes the edit's values by field; `null` clears a field. @param times `untilMs` is the stamp of the edit, which
 * may be far ahead; texts that have expired by `nowMs`, the corrected clock, are dropped.
 * @returns nothing if the edit replaces no text.
 */
export function formerTextsAfter(
  before: Fields,
  changes: Readonly<Record<string, FieldValue | null>>,
  { untilMs, nowMs }: { readonly untilMs: number; readonly nowMs: number },
): { readonly formerTexts?: string } {
  const { text } = before;
  const { text: next } = changes;
  if (next === undefined || next === text || typeof text !== 'string' || text === '') return {};
  const isOfMachines = [before, { ...before, ...changes }].every(
    (words) => textAuthor(words) === 'machine',
  );
  if (isOfMachines) return {};
  const known = readFormerTexts(before['formerTexts']);
  const recent = known.filter((former) => former.untilMs > nowMs - formerTextsKeptMs);
  return { formerTexts: toStored([{ text, untilMs }, ...recent]) };
}

/** Returns the former texts to show: those of the last 30 days, except one that equals the present text. */
export function formerTextsOf(
  { text, formerTexts }: { readonly text?: string; readonly formerTexts?: string },
  nowMs: number,
): readonly FormerText[] {
  return readFormerTexts(formerTexts).filter(
    (former) => former.untilMs > nowMs - formerTextsKeptMs && former.text !== text,
  );
}
