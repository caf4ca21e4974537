const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Bytes at or above this would make the first letters of the alphabet likelier than the rest. */
const unbiasedLimit = 256 - (256 % alphabet.length);

/**
 * A new document id of 20 characters, with the alphabet and entropy of Firestore's own.
 * @param randomBytes fills an array with random bytes, as `crypto.getRandomValues` does.
 */
export function newDocumentId(randomBytes: (target: Uint8Array) => Uint8Array): string {
  let id = '';
  while (id.length < 20) {
    for (const byte of randomBytes(new Uint8Array(40))) {
      if (byte < unbiasedLimit && id.length < 20) id += alphabet.charAt(byte % alphabet.length);
    }
  }
  return id;
}
