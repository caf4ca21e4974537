import { randomInt, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const alphabet = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const codeLength = 10;
export const chooserCookie = 'pawpals-chooser';

/**
 * Creates a code of 49 bits, without easily confused letters and digits.
 *
 * The account chooser signs in to any account, and a proxy on this machine can make every request look local. The code
 * proves that the user sees the terminal; a browser asks for it once and keeps it as a cookie.
 */
export const newChooserCode = (): string =>
  Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');

/** Returns the line that shows the code on the terminal. */
export const chooserCodeLine = (code: string): string =>
  `Sign-in with Google asks each browser for this code once: ${code}`;

/** Compares a typed code, ignoring case, blanks and hyphens. */
export function isChooserCode(typed: string, code: string): boolean {
  const given = Buffer.from(typed.replace(/[\s-]/g, '').toUpperCase());
  const wanted = Buffer.from(code);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

export function hasChooserCookie({ headers }: IncomingMessage, code: string): boolean {
  const cookies = (headers.cookie ?? '').split(';').map((each) => each.trim().split('='));
  return cookies.some(
    ([name, value]) => name === chooserCookie && isChooserCode(value ?? '', code),
  );
}
