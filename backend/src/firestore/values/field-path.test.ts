import { describe, expect, it } from 'vitest';
import { int, map } from '../../../tests/support/firestore-json.ts';
import { createFieldEditor, getField, parseFieldPath } from './field-path.ts';
import { decodeFields, encodeFields } from './value-codec.ts';

describe('parseFieldPath', () => {
  it.each([
    ['a', ['a']],
    ['a.b_1.c', ['a', 'b_1', 'c']],
    ['`a.b`.c', ['a.b', 'c']],
    ['`we\\`ird`.`back\\\\slash`', ['we`ird', 'back\\slash']],
    ['`line\nbreak`', ['line\nbreak']],
  ])('reads %j as %j', (text, segments) => {
    expect(parseFieldPath(text).segments).toEqual(segments);
  });

  it.each([
    ['`a`.`b_1`', 'a.b_1'],
    ['`n\\ame`', 'name'],
    ['`1`.a-b.ü', '`1`.`a-b`.`ü`'],
    ['`we\\`ird`.`back\\\\slash`', '`we\\`ird`.`back\\\\slash`'],
  ])('writes %j as %j, so that equal paths are equal', (text, canonical) => {
    expect(parseFieldPath(text).text).toBe(canonical);
    expect(parseFieldPath(canonical)).toEqual(parseFieldPath(text));
  });

  it.each(['x.`we``ird`', '', '.', 'a.', 'a..b', '.a', 'a`b', '`a', '__proto__.a'])(
    'refuses %j',
    (text) => {
      expect(() => parseFieldPath(text)).toThrow(/field/);
    },
  );
});

describe('getField and the field editor', () => {
  const fields = decodeFields({ a: map({ b: int(1), c: int(2) }), n: int(5) });
  const set = (path: string, to: number | undefined) => {
    const editor = createFieldEditor(fields);
    const value = to === undefined ? undefined : ({ kind: 'integer', value: BigInt(to) } as const);
    editor.set(parseFieldPath(path), value);
    return encodeFields(editor.fields);
  };

  it('reads a nested field, and nothing below a field that is no map', () => {
    expect(getField(fields, parseFieldPath('a.b'))).toEqual({ kind: 'integer', value: 1n });
    expect(getField(fields, parseFieldPath('n.b'))).toBeUndefined();
    expect(getField(fields, parseFieldPath('constructor'))).toBeUndefined();
  });

  it('sets a nested field beside its siblings, making or replacing what is in the way', () => {
    expect(set('a.b', 7)).toEqual({ a: map({ b: int(7), c: int(2) }), n: int(5) });
    expect(set('x.y', 7)).toEqual({
      a: map({ b: int(1), c: int(2) }),
      n: int(5),
      x: map({ y: int(7) }),
    });
    expect(set('n.y', 7)).toEqual({ a: map({ b: int(1), c: int(2) }), n: map({ y: int(7) }) });
  });

  it('refuses more than 100 segments, and more than 6 KiB before it looks at them', () => {
    const path = (count: number) => Array.from({ length: count }, () => 'a').join('.');
    expect(parseFieldPath(path(100)).segments).toHaveLength(100);
    expect(() => parseFieldPath(path(101))).toThrow(/too deep/);
    for (const long of [`\`${'a'.repeat(9_500_000)}`, path(3_000_000), '.'.repeat(6145)]) {
      expect(() => parseFieldPath(long)).toThrow(/too long/);
    }
  });

  it('removes a field, and leaves everything as it is when there is none', () => {
    expect(set('a.b', undefined)).toEqual({ a: map({ c: int(2) }), n: int(5) });
    expect(set('n.b', undefined)).toEqual(encodeFields(fields));
    expect(set('x.y', undefined)).toEqual(encodeFields(fields));
  });

  it('leaves the original untouched, and what was set from elsewhere', () => {
    const editor = createFieldEditor(fields);
    editor.set(parseFieldPath('copy'), fields.get('a'));
    for (const path of ['a.b', 'a.c', 'copy.b']) {
      editor.set(parseFieldPath(path), { kind: 'integer', value: 7n });
    }
    expect(encodeFields(editor.fields)).toEqual({
      a: map({ b: int(7), c: int(7) }),
      copy: map({ b: int(7), c: int(2) }),
      n: int(5),
    });
    expect(encodeFields(fields)).toEqual({ a: map({ b: int(1), c: int(2) }), n: int(5) });
  });
});
