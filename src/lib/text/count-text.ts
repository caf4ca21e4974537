/** "1 day", "2 days". */
export function countText(count: number, noun: string, nouns = `${noun}s`): string {
  return `${String(count)} ${count === 1 ? noun : nouns}`;
}

/** "2 dogs, 1 note and 3 voice notes"; what there is none of is not named, and '' says that there is nothing. */
export function listText(
  parts: readonly (readonly [count: number, noun: string, nouns?: string])[],
): string {
  const named = parts.filter(([count]) => count > 0).map((part) => countText(...part));
  const last = named.at(-1) ?? '';
  return named.length > 1 ? `${named.slice(0, -1).join(', ')} and ${last}` : last;
}
