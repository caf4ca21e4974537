/** The type of a picture by its first bytes; `other` may still be a picture that the browser can read. */
export type PictureKind = 'jpeg' | 'heic' | 'other';

/** The number of bytes that {@link pictureKind} needs. */
export const pictureHeadLength = 16;

const heicBrands: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'mif1', 'msf1']);

/** Ignores the name, because a text file may be called .jpg. */
export function pictureKind(head: Uint8Array): PictureKind {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'jpeg';
  const text = String.fromCharCode(...head.subarray(4, 12));
  const isHeic = text.startsWith('ftyp') && heicBrands.has(text.slice(4));
  return isHeic ? 'heic' : 'other';
}
