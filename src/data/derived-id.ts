/** Two letters of an id from each. */
const byteCount = 10;

/**
 * The id of the one document that may be made from another: the same on every call, so that making it again after a
 * crash meets the first. 80 bits of SHA-256 in hexadecimal, whose digits are in the alphabet of ids.
 */
export async function derivedId(sourceId: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(sourceId));
  const used = new Uint8Array(bytes, 0, byteCount);
  return Array.from(used, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
