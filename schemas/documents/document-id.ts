const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const idLength = 20;

/** Bytes at or above this would make the first letters of the alphabet likelier than the rest. */
const unbiasedLimit = 256 - (256 % alphabet.length);

/**
 * A new document id of 20 characters, with the alphabet and entropy of Firestore's own.
 * @param randomBytes gives that many random bytes.
 */
export function newDocumentId(randomBytes: (length: number) => Uint8Array): string {
  let id = '';
  while (id.length < idLength) {
    for (const byte of randomBytes(2 * idLength)) {
      if (byte < unbiasedLimit && id.length < idLength)
        id += alphabet.charAt(byte % alphabet.length);
    }
  }
  return id;
}

/** Two letters of an id from each. */
const bytesPerId = idLength / 2;

/**
 * The id of the one document that may be made from another: the same on every call, so that making it again after a
 * crash meets the first. 80 bits of the hash in hexadecimal, whose digits are in the alphabet of ids.
 * @param digest SHA-256 of the other's id.
 */
export function derivedDocumentId(digest: ArrayBuffer): string {
  const used = new Uint8Array(digest, 0, bytesPerId);
  return Array.from(used, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
