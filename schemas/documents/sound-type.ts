/** The number of bytes that tell the type. */
const headLength = 64;

/** HEIC and AVIF pictures use the container of MP4. */
const pictureBrands = /^(heic|heix|mif1|msf1|avif|avis)/;

/**
 * Returns the content type of a sound by its first bytes, whatever its name or declared type; null if it is unknown.
 */
export function soundType(bytes: Uint8Array): string | null {
  const text = String.fromCharCode(...bytes.subarray(0, headLength));
  if (text.startsWith('\x1A\x45\xDF\xA3')) return text.includes('webm') ? 'audio/webm' : null;
  if (text.startsWith('OggS')) return 'audio/ogg';
  if (text.startsWith('ftyp', 4)) return pictureBrands.test(text.slice(8)) ? null : 'audio/mp4';
  if (text.startsWith('RIFF') && text.startsWith('WAVE', 8)) return 'audio/wav';
  if (text.startsWith('fLaC')) return 'audio/flac';
  if (text.startsWith('ID3')) return 'audio/mpeg';
  const [first = 0, second = 0] = bytes;
  // A frame begins with eleven or twelve set bits, then the layer: zero in ADTS, one in MP3.
  if (first !== 0xff) return null;
  if ((second & 0xf6) === 0xf0) return 'audio/aac';
  return (second & 0xe6) === 0xe2 ? 'audio/mpeg' : null;
}
