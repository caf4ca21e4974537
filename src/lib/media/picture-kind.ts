/** What the first bytes of a file say of it; `other` may still be a picture that the browser can read. */
export type PictureKind = 'jpeg' | 'heic' | 'other';

/** Bytes that {@link pictureKind} looks at. */
export const pictureHeadLength = 16;

const heicBrands: ReadonlySet<string> = new Set(['heic', 'heix', 'heim', 'heis', 'mif1', 'msf1']);

/** Never by the name: a text file may be called .jpg. */
export function pictureKind(head: Uint8Array): PictureKind {
  if (head[0] === 0xff && head[1] === 0xd8 && head[2] === 0xff) return 'jpeg';
  const text = String.fromCharCode(...head.subarray(4, 12));
  const isHeic = text.startsWith('ftyp') && heicBrands.has(text.slice(4));
  return isHeic ? 'heic' : 'other';
}
