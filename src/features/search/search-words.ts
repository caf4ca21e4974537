import {
  beginsOneOf,
  markWords,
  plainWordsIn,
  wordsIn,
  type TextPart,
} from '../../lib/text/words.ts';

/** Whether nothing was typed. */
export function isBlank(words: string): boolean {
  return words.trim() === '';
}

/** The maximum length of the text before the first matching word. */
const leadLength = 60;

/**
 * Returns the part of a text around the first matching word; it starts at the beginning if that is near. It has no blank
 * lines, which would take the room of words.
 */
export function excerptOf(text: string, plainWords: ReadonlySet<string>): readonly TextPart[] {
  const parts = markWords(text.replace(/\n\s+/g, '\n'), plainWords);
  const [lead, ...rest] = parts;
  if (lead === undefined || lead.isMarked || lead.text.length <= leadLength || rest.length === 0) {
    return parts;
  }
  const near = lead.text.slice(-leadLength).replace(/^[\uDC00-\uDFFF]/, '');
  return [{ text: `… ${near.replace(/^\S*\s+/u, '')}`, isMarked: false }, ...rest];
}

/** Whether each typed word, and there is one, is the beginning of a word of the name. */
export function isNamed(name: string, words: string): boolean {
  const own = plainWordsIn(name);
  const typed = wordsIn(words);
  return typed.length > 0 && typed.every((each) => beginsOneOf(each, own));
}
