/** Matches letters and digits with their combining marks, and each emoji: a joined sequence or a flag is one. */
const word =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|\p{RI}{2}|\p{Extended_Pictographic}(?:[\p{M}\p{Emoji_Modifier}]|\u200D\p{Extended_Pictographic})*/gu;

/** Returns the words of a text, in its order. */
export function wordsIn(text: string): string[] {
  return text.match(word) ?? [];
}

/** Returns a word in the form for comparison: without accents and skin tones, in lower case. */
export function plainWord(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[\p{M}\p{Emoji_Modifier}]/gu, '')
    .toLowerCase();
}

/** Whether a word is the beginning of one of the plain words, so that a word being typed finds the whole one. */
export function beginsOneOf(typed: string, plainWords: readonly string[]): boolean {
  const start = plainWord(typed);
  return plainWords.some((each) => each.startsWith(start));
}

/** Returns the words of a text in the form for comparison, in its order. */
export function plainWordsIn(text: string): string[] {
  return wordsIn(text).map(plainWord);
}

export interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Splits a text into the words that are among the plain words, and the parts between them. */
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
