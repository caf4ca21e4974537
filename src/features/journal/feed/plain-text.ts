/** The part of a text that the journal shows. */
export const plainLimits = { maxLength: 600, maxLines: 12 };

/** Whether a text is short and has no web addresses, as most are. */
export function isPlain(text: string): boolean {
  const { maxLength, maxLines } = plainLimits;
  return text.length <= maxLength && text.split('\n').length <= maxLines && !/https?:/i.test(text);
}
