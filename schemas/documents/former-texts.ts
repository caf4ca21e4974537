import { formerTextsKeptMs, formerTextsMaxLength } from '../limits.ts';
import type { FieldValue, Fields } from './sync-state.ts';
import { wordsAuthor } from './words-author.ts';

/**
 * The texts that an entry had before its edits. They travel with the entry, in one field, so that each device of the owner
 * has them. The field is JSON, newest first; it is there from the first edit on, even when all texts in it are too old.
 */
export interface FormerText {
  readonly text: string;
  /** Epoch milliseconds of the corrected clock at which another text took its place. */
  readonly untilMs: number;
}

function isFormerText(value: unknown): value is FormerText {
  if (typeof value !== 'object' || value === null) return false;
  if (!('text' in value) || !('untilMs' in value)) return false;
  return typeof value.text === 'string' && typeof value.untilMs === 'number';
}

/**
 * @param stored the field `formerTexts` of an entry.
 * @returns newest first; none if there is no such field, or this client cannot read it.
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

/** Devices that read the texts in any order write the same. */
function isLater(one: FormerText, other: FormerText): boolean {
  return one.untilMs === other.untilMs ? one.text > other.text : one.untilMs > other.untilMs;
}

/** Each text once, as it was last replaced. The oldest are left out if there are too many for the field. */
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

/** The former texts of both copies of an entry. The same two give the same result on every device. */
export function uniteFormerTexts(one: FieldValue, other: FieldValue): string {
  return toStored([...readFormerTexts(one), ...readFormerTexts(other)]);
}

/**
 * The field `formerTexts` after an edit: a text that is replaced is added, unless a machine replaces what a machine made.
 * @param changes those of the edit by field; `null` clears a field.
 * @param nowMs the stamp of the edit.
 * @returns nothing if the edit replaces no text.
 */
export function formerTextsAfter(
  before: Fields,
  changes: Readonly<Record<string, FieldValue | null>>,
  nowMs: number,
): { readonly formerTexts?: string } {
  const { text } = before;
  const { text: next } = changes;
  if (next === undefined || next === text || typeof text !== 'string' || text === '') return {};
  const isOfMachines = [before, { ...before, ...changes }].every(
    (words) => wordsAuthor(words) === 'machine',
  );
  if (isOfMachines) return {};
  const known = readFormerTexts(before['formerTexts']);
  const recent = known.filter(({ untilMs }) => untilMs > nowMs - formerTextsKeptMs);
  return { formerTexts: toStored([{ text, untilMs: nowMs }, ...recent]) };
}

/** The former texts that are shown: those of the last 30 days, but for one that is the text again. */
export function formerTextsOf(
  { text, formerTexts }: { readonly text?: string; readonly formerTexts?: string },
  nowMs: number,
): readonly FormerText[] {
  return readFormerTexts(formerTexts).filter(
    (former) => former.untilMs > nowMs - formerTextsKeptMs && former.text !== text,
  );
}
