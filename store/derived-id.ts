import { idLength } from '../schemas/documents/document-id.ts';

/** Each byte of a hash gives two letters of an id. */
const bytesPerId = idLength / 2;

/**
 * Returns the id of the one document that may be derived from another. It is the same on every call, so that a repetition
 * after a crash finds the first document. It is 80 bits of the SHA-256 of the other id in hexadecimal, whose digits are in
 * the alphabet of ids.
 */
export async function derivedId(sourceId: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(sourceId));
  const used = new Uint8Array(digest, 0, bytesPerId);
  return Array.from(used, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
