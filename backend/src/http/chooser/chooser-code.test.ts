import { describe, expect, it } from 'vitest';
import { isChooserCode, newChooserCode } from './chooser-code.ts';

describe('the code of the account chooser', () => {
  it('is another one each time, and long', () => {
    const codes = new Set(Array.from({ length: 100 }, newChooserCode));
    expect(codes.size).toBe(100);
    for (const code of codes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{10}$/);
  });

  it('is taken as people type it, and nothing else is', () => {
    for (const typed of ['ABCDE23456', 'abcde23456', ' abcde-23456 ', 'abc de2 345 6']) {
      expect(isChooserCode(typed, 'ABCDE23456')).toBe(true);
    }
    for (const typed of ['', 'ABCDE2345', 'ABCDE23457', 'ABCDE234566', 'ÄBCDE23456']) {
      expect(isChooserCode(typed, 'ABCDE23456')).toBe(false);
    }
  });
});
