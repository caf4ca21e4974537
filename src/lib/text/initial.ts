/** Finds the end of a character as a reader sees it. Firefox has it since 125. */
const segmenter =
  'Segmenter' in Intl ? new Intl.Segmenter(undefined, { granularity: 'grapheme' }) : undefined;

/** Returns the first character of a name in capitals, with its accents, and an emoji with all its parts; '' for none. */
export function initialOf(name: string): string {
  const text = name.trim();
  const [codePoint = ''] = text;
  const initial = segmenter?.segment(text).containing(0)?.segment ?? codePoint;
  return initial.toLocaleUpperCase('en-GB');
}
