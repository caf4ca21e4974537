import { md5 } from '@noble/hashes/legacy.js';

/** MD5 in base64, as Cloud Storage writes it. It tells whether bytes arrived whole; it protects from nobody. */
export function md5Base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...md5(new Uint8Array(bytes))));
}
