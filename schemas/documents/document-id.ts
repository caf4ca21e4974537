const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
/** The characters of an id. */
export const idLength = 20;

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
