/** Returns a number from 0 to `count - 1` that is always the same for one text (FNV-1a). */
export function hashToIndex(text: string, count: number): number {
  let hash = 0x81_1c_9d_c5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01_00_01_93);
  }
  return (hash >>> 0) % count;
}
