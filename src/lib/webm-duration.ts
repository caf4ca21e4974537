const infoId = [0x15, 0x49, 0xa9, 0x66];
/** With the size of a double behind it. */
const durationHead = [0x44, 0x89, 0x88];
/** A unit of time is a millisecond, as in every browser's recordings. */
const millisecondScale = [0x2a, 0xd7, 0xb1, 0x83, 0x0f, 0x42, 0x40];

function indexOf(bytes: Uint8Array, wanted: readonly number[]): number {
  return bytes.findIndex((_, at) => wanted.every((byte, index) => bytes[at + index] === byte));
}

function double(value: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setFloat64(0, value);
  return bytes;
}

/**
 * A recorder writes a file while it does not know how long it will be: Firefox writes 0, Chromium nothing. Firefox then lets
 * nothing of it be sought.
 * @returns the same WebM file with its length; null if it is another kind of file.
 */
export function withWebmDuration(bytes: ArrayBuffer, durationMs: number): Blob | null {
  const all = new Uint8Array(bytes);
  const info = indexOf(all.subarray(0, 1_024), infoId);
  // Both browsers write the size of this element in eight bytes, of which the last is enough.
  const [sizeAt, contentAt] = [info + 4, info + 12];
  const size = all[contentAt - 1] ?? 0;
  const content = all.subarray(contentAt, contentAt + size);
  if (info < 0 || all[sizeAt] !== 0x01 || indexOf(content, millisecondScale) < 0) return null;
  const found = indexOf(content, durationHead);
  if (found >= 0) {
    const at = contentAt + found + durationHead.length;
    return new Blob([all.slice(0, at), double(durationMs), all.slice(at + 8)]);
  }
  const added = durationHead.length + 8;
  if (size + added > 0xff) return null;
  const head = [all.slice(0, contentAt - 1), new Uint8Array([size + added, ...durationHead])];
  return new Blob([...head, double(durationMs), all.slice(contentAt)]);
}
