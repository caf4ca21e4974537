import { randomInt, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * The account chooser lets anybody in as anybody, and a proxy on this machine can make every request look local. So who
 * uses it proves that they see the terminal: by a code that a browser is asked for once and keeps as a cookie.
 */
const ALPHABET = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const LENGTH = 10;
export const CHOOSER_COOKIE = 'pawpals-chooser';

/** 49 bits, in letters and digits that cannot be mistaken for one another. */
export const newChooserCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/** For the person at the terminal. */
export const chooserCodeLine = (code: string): string =>
  `Sign-in with Google asks each browser for this code once: ${code}`;

/** Case, blanks and hyphens of what was typed do not matter. */
export function isChooserCode(typed: string, code: string): boolean {
  const given = Buffer.from(typed.replace(/[\s-]/g, '').toUpperCase());
  const wanted = Buffer.from(code);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

export function hasChooserCookie({ headers }: IncomingMessage, code: string): boolean {
  const cookies = (headers.cookie ?? '').split(';').map((each) => each.trim().split('='));
  return cookies.some(
    ([name, value]) => name === CHOOSER_COOKIE && isChooserCode(value ?? '', code),
  );
}

const FORWARDED = /^(?:forwarded|via|x-forwarded-.*|x-real-ip|cf-connecting-ip|true-client-ip)$/;

/** Whether a proxy says that it handed the request on. */
export const isForwarded = ({ headers }: IncomingMessage): boolean =>
  Object.keys(headers).some((name) => FORWARDED.test(name));
