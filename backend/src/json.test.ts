import { describe, expect, it } from 'vitest';
import { parseJson } from './json.ts';

describe('JSON of a client', () => {
  it('is parsed, or is none', () => {
    expect(parseJson('{"a":[1]}')).toEqual({ ok: true, value: { a: [1] } });
    expect(parseJson('{')).toEqual({ ok: false });
  });

  it.each(['{}', '[]'])('takes no more memory than its text allows: %s', (node) => {
    const list = (count: number) => `[${Array.from({ length: count }, () => node).join(',')}]`;
    expect(parseJson(list(699_999)).ok).toBe(true);
    expect(parseJson(list(700_000))).toEqual({ ok: false });
  });
});
