import type { SearchAnswer, SearchState } from '../../data/queries/search.ts';
import { countText } from '../../lib/text/count-text.ts';
import { isBlank } from './search-words.ts';

interface Found {
  readonly words: string;
  readonly state: SearchState;
  readonly answer: SearchAnswer | undefined;
}

/** A letter of a script with capitals, where few letters are words. The search finds it as a whole word only. */
const oneLetter = /^[\p{Ll}\p{Lu}]$/u;

/** Returns the sentence about the number of matches and the progress of the index. */
export function searchStatus({ words, state: { readPart }, answer }: Found): string {
  const reading =
    readPart < 1 ? `Reading your journal: ${String(Math.floor(readPart * 100))} %` : '';
  if (isBlank(words) || answer === undefined) return reading;
  if (answer.count === 0 && oneLetter.test(words.trim()))
    return reading || 'Type two letters or more';
  const found = answer.count === 0 ? 'No entry found' : countText(answer.count, 'entry', 'entries');
  return reading === '' ? found : `${found} so far. ${reading}`;
}
