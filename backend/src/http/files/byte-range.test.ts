import { describe, expect, it } from 'vitest';
import { parseByteRange } from './byte-range.ts';

describe('a range of bytes', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=2-5', { start: 2, end: 5 }],
    ['bytes=2-', { start: 2, end: 9 }],
    ['bytes=2-100', { start: 2, end: 9 }],
    ['bytes=9-9', { start: 9, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-100', { start: 0, end: 9 }],
    ['BYTES= 2 - 5', { start: 2, end: 5 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=10-12', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=99999999999999999999999-', 'unsatisfiable'],
    ['bytes=5-2', null],
    ['bytes=-', null],
    ['bytes=0-1,4-5', null],
    ['bytes=a-b', null],
    ['items=0-1', null],
    ['', null],
    [undefined, null],
  ] as const)('%s of ten', (header, expected) => {
    expect(parseByteRange(header, 10)).toEqual(expected);
  });

  it('of nothing is nothing in particular', () => {
    expect(parseByteRange('bytes=0-5', 0)).toBeNull();
  });
});
