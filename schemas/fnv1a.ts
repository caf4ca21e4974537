/** Returns 32 bits of FNV-1a over UTF-16 code units. Stored names and ids are made of them. */
export function fnv1a(text: string, offset = 0x811c9dc5): number {
  let hash = offset;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}
