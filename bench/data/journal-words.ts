const syllables = ['ba', 'ke', 'lo', 'mu', 'ri', 'so', 'ta', 'vi', 'wen', 'dor'];
const wordCount = syllables.length ** 3;
const wordsPerNote = 8;

/** Returns one of a thousand words, each of which is in about eighty of ten thousand notes. */
export function wordAt(index: number): string {
  const at = (place: number): string => syllables[Math.floor(index / place) % 10] ?? '';
  return at(1) + at(10) + at(100);
}

/** Returns different words for each note, so that the index is as large as that of a journal of years. */
export function wordsOfNote(index: number): string {
  const words = Array.from({ length: wordsPerNote }, (_, nth) =>
    wordAt((index * wordsPerNote + nth * 131) % wordCount),
  );
  return words.join(' ');
}
