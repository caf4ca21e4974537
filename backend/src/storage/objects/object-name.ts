import { invalid } from '../storage-error.ts';

const MAX_NAME_BYTES = 1024;

/**
 * The naming rules of Cloud Storage. A name never becomes a path on the disk, so `a/../b` is a name like any other;
 * control characters are refused because names come back in headers and lists.
 */
export function checkObjectName(name: string): string {
  if (name === '') throw invalid('The object needs a name.');
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
    throw invalid(`An object's name must have at most ${MAX_NAME_BYTES} bytes.`);
  }
  if (name === '.' || name === '..' || name.startsWith('.well-known/acme-challenge/')) {
    throw invalid('This name is reserved.');
  }
  if (hasControlCharacter(name))
    throw invalid("An object's name must not have control characters.");
  return name;
}

export const hasControlCharacter = (text: string): boolean => /\p{Cc}/u.test(text);
