import type { SearchAnswer, SearchState } from '../../data/queries/search.ts';
import { countText } from '../../lib/text/count-text.ts';
import { isBlank } from './search-words.ts';

interface Found {
  readonly words: string;
  readonly state: SearchState;
  readonly answer: SearchAnswer | undefined;
}

/** A letter or digit that finds only itself as a whole word. Scripts whose letters may be words have no small letters. */
const oneLetter = /^[\p{Ll}\p{Lu}\p{N}]$/u;

/** Returns the sentence about the number of matches and the progress of the index. */
export function searchStatus({ words, state: { readPart }, answer }: Found): string {
  const reading =
    readPart < 1 ? `Reading your journal: ${String(Math.floor(readPart * 100))} %` : '';
  if (isBlank(words) || answer === undefined) return reading;
  const none = oneLetter.test(words.trim()) ? 'Type at least two letters' : 'No entry found';
  const found = answer.count === 0 ? none : countText(answer.count, 'entry', 'entries');
  return reading === '' ? found : `${found} so far. ${reading}`;
}
