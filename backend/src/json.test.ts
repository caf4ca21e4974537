import { describe, expect, it } from 'vitest';
import { parseJson } from './json.ts';

describe('JSON of a client', () => {
  it('is parsed, or is none', () => {
    expect(parseJson('{"a":[1]}')).toEqual({ ok: true, value: { a: [1] } });
    expect(parseJson('{')).toEqual({ ok: false });
  });

  it.each(['{}', '[]', '{"a":0}'])('has a limited number of nodes: %s', (node) => {
    const list = (count: number) => `[${Array.from({ length: count }, () => node).join(',')}]`;
    const most = 250_000 / node.replaceAll(/[^{[:]/g, '').length;
    expect(parseJson(list(most - 1)).ok).toBe(true);
    expect(parseJson(list(most))).toEqual({ ok: false });
  });

  it('may have any text', () => {
    const text = '{[:"\\'.repeat(100_000);
    expect(parseJson(JSON.stringify([text, text]))).toEqual({ ok: true, value: [text, text] });
  });
});
