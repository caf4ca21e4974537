export interface TextPart {
  readonly text: string;
  /** The address of the link; null if the part is plain text. */
  readonly href: string | null;
}

const candidate = /https?:\/\/[^\s<>"]+/gi;

/** Characters that end a sentence, and hardly ever an address. */
const sentenceEnds = new Set('.,;:!?\'"’”»*]}…');

/** Removes the end of the surrounding sentence, including a closing bracket that was not opened within the address. */
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

/** Splits a text at its http and https addresses. The parts joined are the text again. */
export function webLinkParts(text: string): readonly TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { 0: found, index } of text.matchAll(candidate)) {
    const href = withoutSentenceEnd(found);
    // An address that was cut off would lead somewhere else.
    if (found.endsWith('…') || !isAddress(href)) continue;
    parts.push({ text: text.slice(end, index), href: null }, { text: href, href });
    end = index + href.length;
  }
  parts.push({ text: text.slice(end), href: null });
  return parts.filter((part) => part.text !== '');
}
