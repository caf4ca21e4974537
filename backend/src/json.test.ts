import { describe, expect, it } from 'vitest';
import { map, setWrite, str } from '../tests/support/firestore-json.ts';
import { parseJson } from './json.ts';

describe('JSON of a client', () => {
  it('is parsed, or is none', () => {
    expect(parseJson('{"a":[1]}')).toEqual({ ok: true, value: { a: [1] } });
    expect(parseJson('{')).toEqual({ ok: false });
  });

  it.each([
    ['{}', 125_000],
    ['[]', 125_000],
    ['{"a":0}', 125_000],
    ['"a"', 250_000],
    ['0', 250_000],
  ])('has a limited number of nodes: %s', (node, most) => {
    const list = (count: number) => `[${Array.from({ length: count }, () => node).join(',')}]`;
    expect(parseJson(list(most)).ok).toBe(true);
    expect(parseJson(list(most + 1))).toEqual({ ok: false });
  });

  it.each([
    [
      'the largest document, with a mask of all its maps',
      { count: 1, fields: 39_999, value: map({}) },
    ],
    ['500 writes of 100 fields', { count: 500, fields: 100, value: str('{[,'.repeat(50)) }],
  ])('may be a commit of %s', (_name, { count, fields, value }) => {
    const names = Array.from({ length: fields }, (_, at) => `f${at}`);
    const write = setWrite('c/a', Object.fromEntries(names.map((name) => [name, value])), {
      updateMask: { fieldPaths: names },
      currentDocument: { exists: true },
    });
    const commit = { database: 'd', writes: Array.from({ length: count }, () => write) };
    expect(parseJson(JSON.stringify(commit)).ok).toBe(true);
  });

  it('may have any text', () => {
    const text = '{[:,"\\'.repeat(175_000);
    expect(parseJson(JSON.stringify([text, text]))).toEqual({ ok: true, value: [text, text] });
  });
});
