import * as v from 'valibot';

/** Half of a surrogate pair, which UTF-8, the encoding of texts in Firestore, cannot express. */
const halfPair = /\p{Surrogate}/gu;

/** Returns a text with the line ends of text boxes, which show CRLF as LF. */
export function withPlainLineEnds(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n');
}

/** Makes a text equal to what a text box shows of it, and to what UTF-8 keeps of it. */
export const toPlainText = v.transform((text: string) =>
  withPlainLineEnds(text).replaceAll(halfPair, '\uFFFD'),
);
