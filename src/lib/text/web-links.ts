export interface TextPart {
  readonly text: string;
  /** Where it leads; null if it is no link. */
  readonly href: string | null;
}

const candidate = /https?:\/\/[^\s<>"]+/gi;

/** What ends a sentence, and is hardly ever the end of an address. */
const sentenceEnds = new Set('.,;:!?\'"’”»*]}…');

/** Without what belongs to the sentence around it: a closing bracket does if it was not opened within. */
function withoutSentenceEnd(found: string): string {
  let unopened = found.split(')').length - found.split('(').length;
  let end = found.length;
  for (;;) {
    const last = found.charAt(end - 1);
    if (last === ')' && unopened > 0) unopened -= 1;
    else if (!sentenceEnds.has(last)) return found.slice(0, end);
    end -= 1;
  }
}

function isAddress(text: string): boolean {
  try {
    return /^https?:$/.test(new URL(text).protocol);
  } catch {
    return false;
  }
}

/** Takes a text apart at its web addresses, http and https alone. All parts together are the text again. */
export function webLinkParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(candidate)) {
    const href = withoutSentenceEnd(found);
    // One that was cut off leads somewhere else.
    if (found.endsWith('…') || !isAddress(href)) continue;
    parts.push({ text: text.slice(end, index), href: null }, { text: href, href });
    end = index + href.length;
  }
  parts.push({ text: text.slice(end), href: null });
  return parts.filter((part) => part.text !== '');
}
