/** As many arguments as every browser's call stack takes. */
const chunkLength = 8_192;

export function toBase64(bytes: ArrayBuffer): string {
  const chunks: string[] = [];
  for (let start = 0; start < bytes.byteLength; start += chunkLength) {
    const length = Math.min(chunkLength, bytes.byteLength - start);
    chunks.push(String.fromCharCode(...new Uint8Array(bytes, start, length)));
  }
  return btoa(chunks.join(''));
}
