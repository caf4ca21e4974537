import { expect, it } from 'vitest';
import { newDocumentId } from './document-id.ts';

it('has 20 letters and digits', () => {
  const id = newDocumentId((length) => crypto.getRandomValues(new Uint8Array(length)));
  expect(id).toMatch(/^[A-Za-z0-9]{20}$/);
});

it('leaves out bytes that would favour some letters, and asks for more', () => {
  let asked = 0;
  const id = newDocumentId((length) => {
    asked += 1;
    return new Uint8Array(length).fill(asked === 1 ? 255 : 61);
  });
  expect(asked).toBe(2);
  expect(id).toBe('9'.repeat(20));
});
