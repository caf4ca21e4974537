import { describe, expect, it } from 'vitest';
import { baseOf, groupKey, sameContent, sameFields } from './content.ts';

describe('two contents', () => {
  const fields = { name: 'Rex', breed: 'Vizsla' };

  it('have the same fields whatever their order', () => {
    expect(sameFields(fields, { breed: 'Vizsla', name: 'Rex' })).toBe(true);
    expect(sameFields({}, {})).toBe(true);
  });

  it.each([{}, { name: 'Rex' }, { name: 'Rex', breed: 'Beagle' }, { name: 'Rex', dob: 'Vizsla' }])(
    'have not the same fields with %j',
    (other) => {
      expect(sameFields(fields, other)).toBe(false);
      expect(sameFields(other, fields)).toBe(false);
    },
  );

  it('tell a number from its text', () => {
    expect(sameFields({ createdDate: 5 }, { createdDate: '5' })).toBe(false);
  });

  it('are the same with other stamps, as one value typed twice is one value', () => {
    const content = { fields, edits: { name: 1 }, deleted: false };
    expect(sameContent(content, { ...content, edits: { name: 2 } })).toBe(true);
    expect(sameContent(content, { ...content, deleted: true })).toBe(false);
    expect(sameContent(content, { ...content, fields: {} })).toBe(false);
  });
});

describe('the key of a group', () => {
  it('is equal for equal values, and tells a cleared field from an empty one', () => {
    const group = ['text', 'transcript'];
    const keyOf = (fields: Readonly<Record<string, string>>): string => groupKey(group, fields);
    expect(keyOf({ text: 'a', transcript: 'done', other: 'x' })).toBe(
      keyOf({ transcript: 'done', text: 'a' }),
    );
    expect(keyOf({ text: '' })).not.toBe(keyOf({}));
    expect(keyOf({ text: 'a' })).not.toBe(keyOf({ transcript: 'a' }));
    expect(keyOf({ text: 'null' })).not.toBe(keyOf({}));
  });
});

it('a base has values and stamps, and nothing else', () => {
  const content = { fields: { name: 'Rex' }, edits: { name: 1 }, deleted: true };
  expect(baseOf(content)).toEqual({ fields: { name: 'Rex' }, edits: { name: 1 } });
});
