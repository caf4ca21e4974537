import { md5 } from '@noble/hashes/legacy.js';

/**
 * Returns the MD5 in base64, as Cloud Storage writes it. It detects incomplete uploads and protects against no
 * attacker.
 */
export function md5Base64(bytes: ArrayBuffer): string {
  return btoa(String.fromCharCode(...md5(new Uint8Array(bytes))));
}
