export interface TextLimits {
  readonly maxLength: number;
  readonly maxLines: number;
}

/** Looked for in the last part of what stays. */
const wordEnd = /\s+\S{0,40}$/;

/**
 * The beginning of a long text, with an ellipsis: cut between words where it has any, and never within a character.
 * @returns the very same text if it is not long.
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
