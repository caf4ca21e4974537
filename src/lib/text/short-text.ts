export interface TextLimits {
  readonly maxLength: number;
  readonly maxLines: number;
}

/** Matches the last word end near the end of the kept text. */
const wordEnd = /\s+\S{0,40}$/;

/**
 * Returns the beginning of a long text with an ellipsis, cut between words if possible, and never within a character; a
 * short text is returned unchanged.
 */
export function shortText(text: string, { maxLength, maxLines }: TextLimits): string {
  const lines = text
    .split('\n', maxLines + 1)
    .slice(0, maxLines)
    .join('\n');
  if (lines.length <= maxLength) return lines.length < text.length ? `${lines.trimEnd()}…` : text;
  const start = lines.slice(0, maxLength).replace(/[\uD800-\uDBFF]$/, '');
  return `${start.replace(wordEnd, '').trimEnd()}…`;
}
