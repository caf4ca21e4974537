/** The audio containers that engines read. The name is also the usual file extension. */
export type AudioType = 'webm' | 'ogg' | 'mp4' | 'wav' | 'mp3' | 'flac' | 'aac';

export const audioContentTypes: Readonly<Record<AudioType, string>> = {
  webm: 'audio/webm',
  ogg: 'audio/ogg',
  mp4: 'audio/mp4',
  wav: 'audio/wav',
  mp3: 'audio/mpeg',
  flac: 'audio/flac',
  aac: 'audio/aac',
};

/**
 * Returns the type by the first bytes, whatever the file is called. Video in the same containers passes, since only its
 * audio is used.
 * @returns null if the bytes begin like no audio.
 */
export function audioTypeOf(bytes: Uint8Array): AudioType | null {
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to));
  const [first = 0, second = 0] = bytes;
  if (text(0, 4) === '\x1a\x45\xdf\xa3') return isWebm(bytes) ? 'webm' : null;
  if (text(0, 4) === 'OggS') return 'ogg';
  if (text(4, 8) === 'ftyp') return imageBrands.has(text(8, 12)) ? null : 'mp4';
  if (text(0, 4) === 'RIFF' && text(8, 12) === 'WAVE') return 'wav';
  if (text(0, 4) === 'fLaC') return 'flac';
  if (text(0, 3) === 'ID3') return 'mp3';
  if (first !== 0xff || bytes.length < 4) return null;
  // Eleven or twelve set bits, then the layer: none in ADTS, three in MP3.
  if ((second & 0xf6) === 0xf0) return 'aac';
  return (second & 0xe6) === 0xe2 ? 'mp3' : null;
}

/** HEIC and AVIF pictures use the container of MP4. */
const imageBrands = new Set(['heic', 'heix', 'mif1', 'msf1', 'avif', 'avis']);

/** Whether the document type in the first header is WebM; no browser records other kinds of Matroska. */
function isWebm(bytes: Uint8Array): boolean {
  return String.fromCharCode(...bytes.subarray(0, 64)).includes('webm');
}
