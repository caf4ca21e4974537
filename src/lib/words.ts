/** Letters and digits, with the marks on them. */
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** The words of a text, in its order. */
export function wordsIn(text: string): string[] {
  return text.match(word) ?? [];
}

/** A word as it is compared: without accents, in small letters. */
export function plainWord(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

export interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** A text cut into pieces: words that are among the plain ones, and what lies between them. */
export function markWords(text: string, plainWords: ReadonlySet<string>): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const found of text.matchAll(word)) {
    const [match] = found;
    if (!plainWords.has(plainWord(match))) continue;
    if (found.index > end) parts.push({ text: text.slice(end, found.index), isMarked: false });
    end = found.index + match.length;
    parts.push({ text: match, isMarked: true });
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMarked: false });
  return parts;
}
