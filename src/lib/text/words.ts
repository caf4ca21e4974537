/** Matches letters and digits with their combining marks, and each emoji: a joined sequence or a flag is one. */
const word =
  /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|\p{RI}{2}|\p{Extended_Pictographic}(?:[\p{M}\p{Emoji_Modifier}]|\u200D\p{Extended_Pictographic})*/gu;

/** Splits a run of letters that has no spaces between its words, as in Japanese or Thai. Firefox has it since 125. */
const segmenter =
  'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'word' }) : undefined;

type Found = readonly [word: string, index: number];

function foundIn(text: string): readonly Found[] {
  return [...text.matchAll(word)].flatMap(({ 0: run, index }): readonly Found[] =>
    // The letters of these scripts have no capitals.
    segmenter && /\p{Lo}/u.test(run)
      ? Array.from(segmenter.segment(run), (part) => [part.segment, index + part.index])
      : [[run, index]],
  );
}

/** Returns the words of a text, in its order. */
export function wordsIn(text: string): string[] {
  return foundIn(text).map(([found]) => found);
}

/**
 * Returns a word in the form for comparison: without accents and skin tones, in capitals, as two small letters may have
 * the same one.
 */
export function plainWord(text: string): string {
  return text
    .normalize('NFD')
    .replaceAll(/[\p{M}\p{Emoji_Modifier}]/gu, '')
    .toUpperCase();
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
  for (const [match, index] of foundIn(text)) {
    if (!plainWords.has(plainWord(match))) continue;
    if (index > end) parts.push({ text: text.slice(end, index), isMarked: false });
    end = index + match.length;
    parts.push({ text: match, isMarked: true });
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMarked: false });
  return parts;
}
