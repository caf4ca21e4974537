/** Returns a count with its noun: "1 day", "2 days". */
export function countText(count: number, noun: string, nouns = `${noun}s`): string {
  return `${String(count)} ${count === 1 ? noun : nouns}`;
}

/** Joins words to a list such as "one, two and three"; '' if there are none. */
export function joinWords(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${last}` : last;
}

/** Returns a list such as "2 dogs, 1 note and 3 voice notes" without zero counts; '' if all are zero. */
export function listText(
  parts: readonly (readonly [count: number, noun: string, nouns?: string])[],
): string {
  return joinWords(parts.filter(([count]) => count > 0).map((part) => countText(...part)));
}
