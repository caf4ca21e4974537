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

/** True if the word begins one of the plain words: a word that is being typed finds the whole one. */
export function beginsOneOf(typed: string, plainWords: readonly string[]): boolean {
  const start = plainWord(typed);
  return plainWords.some((each) => each.startsWith(start));
}

/** The words of a text as they are compared, in its order. */
export function plainWordsIn(text: string): string[] {
  return wordsIn(text).map(plainWord);
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
