const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const idLength = 20;

/** Bytes at or above this limit would make the first letters of the alphabet more likely than the others. */
const unbiasedLimit = 256 - (256 % alphabet.length);

/**
 * Returns a new document id of 20 characters, with the alphabet and entropy of Firestore's own. @param randomBytes
 * returns that many random bytes.
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

/** Each byte of a hash gives two letters of an id. */
const bytesPerId = idLength / 2;

/**
 * Returns the id of the one document that is derived from another. It is the same on every call, so that a repetition
 * after a crash finds the first document. It is 80 bits of the hash in hexadecimal, whose digits are in the alphabet of
 * ids.
 * @param digest SHA-256 of the other document's id.
 */
export function derivedDocumentId(digest: ArrayBuffer): string {
  const used = new Uint8Array(digest, 0, bytesPerId);
  return Array.from(used, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
