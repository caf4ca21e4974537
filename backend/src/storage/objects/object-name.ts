import { invalid } from '../storage-error.ts';

const maxNameBytes = 1024;

/**
 * Checks a name by the rules of Cloud Storage. A name never becomes a path on the disk, so `a/../b` is an ordinary name.
 * Control characters are refused because names are sent in headers and lists.
 */
export function checkObjectName(name: string): string {
  if (name === '') throw invalid('The object needs a name.');
  checkNameLength(name);
  if (name === '.' || name === '..' || name.startsWith('.well-known/acme-challenge/')) {
    throw invalid('This name is reserved.');
  }
  if (hasControlCharacter(name))
    throw invalid("An object's name must not have control characters.");
  return name;
}

/** Checks the length of a name, or of the beginning of one. */
export function checkNameLength(name: string): string {
  if (Buffer.byteLength(name) <= maxNameBytes) return name;
  throw invalid(`An object's name must have at most ${maxNameBytes} bytes.`);
}

export const hasControlCharacter = (text: string): boolean => /\p{Cc}/u.test(text);
