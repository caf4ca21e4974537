/** "1 day", "2 days". */
export function countText(count: number, noun: string, nouns = `${noun}s`): string {
  return `${String(count)} ${count === 1 ? noun : nouns}`;
}
