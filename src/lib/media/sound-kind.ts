/** Bytes that {@link soundType} looks at. */
export const soundHeadLength = 64;

/** HEIC and AVIF pictures lie in the container of MP4. */
const pictureBrands = /^(heic|heix|mif1|msf1|avif|avis)/;

/** What the first bytes of a sound say of it, whatever its name or its sender says. @returns null if they say nothing known. */
export function soundType(head: Uint8Array): string | null {
  const text = String.fromCharCode(...head.subarray(0, soundHeadLength));
  if (text.startsWith('\x1A\x45\xDF\xA3')) return text.includes('webm') ? 'audio/webm' : null;
  if (text.startsWith('OggS')) return 'audio/ogg';
  if (text.startsWith('ftyp', 4)) return pictureBrands.test(text.slice(8)) ? null : 'audio/mp4';
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'audio/wav';
  if (text.startsWith('fLaC')) return 'audio/flac';
  if (text.startsWith('ID3')) return 'audio/mpeg';
  const [first = 0, second = 0] = head;
  // Eleven or twelve set bits, then the layer: none in ADTS, three in MP3.
  if (first !== 0xff) return null;
  if ((second & 0xf6) === 0xf0) return 'audio/aac';
  return (second & 0xe6) === 0xe2 ? 'audio/mpeg' : null;
}
