/** How much of a text the journal shows. */
export const plainLimits = { maxLength: 600, maxLines: 12 };

/** Short, and without web addresses: most are. */
export function isPlain(text: string): boolean {
  const { maxLength, maxLines } = plainLimits;
  return text.length <= maxLength && text.split('\n').length <= maxLines && !/https?:/i.test(text);
}
