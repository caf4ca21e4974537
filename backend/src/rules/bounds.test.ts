import { describe, expect, it } from 'vitest';
import { evaluate, firestoreRules, authorizeGet } from '../../tests/support/rules-kit.ts';
import { list, map, text, type RuleValue } from './rule-value.ts';

/** Clients choose the contents of documents, so functions must take linear time. This size makes slower ones time out. */
const many = 100_000;
const range = (count: number, start = 0): RuleValue =>
  list(Array.from({ length: count }, (_, at) => ({ kind: 'integer', value: BigInt(start + at) })));

describe('long lists take linear time', () => {
  const data = new Map<string, RuleValue>([
    ['a', range(many)],
    ['b', range(many)],
    ['c', range(many, many)],
    ['names', list(Array.from({ length: many }, (_, at) => text(`name ${at}`)))],
  ]);
  it.each([
    'resource.data.a.hasAll(resource.data.b) && resource.data.a.hasOnly(resource.data.b)',
    '!resource.data.a.hasAny(resource.data.c)',
    '!resource.data.names.hasAny(resource.data.c)',
    'resource.data.names.hasOnly(resource.data.names)',
  ])('%s', (expression) => {
    expect(evaluate(expression, { data })).toBe(true);
  });
});

describe('a long list holds the same values as a short one', () => {
  const nested = text('"'.repeat(100));
  const data = new Map<string, RuleValue>([
    [
      'long',
      list([
        ...Array.from({ length: 40 }, (_, at) => text(`name ${at}`)),
        { kind: 'integer', value: 1n },
        { kind: 'double', value: 2 },
        { kind: 'double', value: -0 },
        { kind: 'double', value: NaN },
        { kind: 'integer', value: 9_007_199_254_740_993n },
        { kind: 'bytes', base64: 'YQ==' },
        { kind: 'timestamp', seconds: 1, nanos: 2 },
        { kind: 'geo', latitude: 1, longitude: 2 },
        { kind: 'reference', name: 'projects/p/databases/(default)/documents/pets/rex' },
        map(new Map<string, RuleValue>([['a', nested]])),
      ]),
    ],
    ['nan', { kind: 'double', value: NaN }],
    ['blob', { kind: 'bytes', base64: 'YQ==' }],
    ['place', { kind: 'geo', latitude: 1, longitude: 2 }],
    ['deep', Array.from({ length: 20 }).reduce<RuleValue>((inner) => list([inner]), nested)],
  ]);
  it.each([
    ['resource.data.long.hasAll([1.0, 2, 0])', true],
    ["resource.data.long.hasAny(['1', '[\"1\"]', 3, null, true])", false],
    ['resource.data.long.hasAny([resource.data.nan])', false],
    ['resource.data.long.hasAny([9007199254740992.0])', false],
    ['resource.data.long.hasAny([9007199254740993])', true],
    ["resource.data.long.hasAny(['a'])", false],
    ['resource.data.long.hasAll([resource.data.blob, resource.data.place])', true],
    ['resource.data.long.hasAny([request.path])', true],
    ["resource.data.long.hasAny([{'a': resource.data.deep}])", false],
    ['resource.data.deep == resource.data.deep', true],
  ])('%s: %s', (expression, result) => {
    expect(evaluate(expression, { data })).toBe(result);
  });
});

describe('a regular expression does not grow beyond its bounds', () => {
  const data = new Map<string, RuleValue>([['pattern', text('[a-z]'.repeat(1000))]]);
  it.each([
    ["'a'.matches(resource.data.pattern)", 'A regular expression is too long.'],
    [
      `'a'.matches(resource.id + '${'[a-z]{1000}'.repeat(11)}')`,
      'A regular expression is too long.',
    ],
  ])('%s: %s', (expression, result) => {
    expect(evaluate(expression, { data })).toBe(result);
  });
});

it('a path is matched in linear time by several recursive wildcards', () => {
  const nested = (depth: number): string =>
    depth === 0 ? 'allow get;' : `match /{w${depth}=**}/a { ${nested(depth - 1)} }`;
  const rules = firestoreRules(`match /databases/{database}/documents { ${nested(8)} }`);
  const letters = Array.from({ length: 200 }, () => 'a');
  expect(authorizeGet(rules, { path: [...letters, 'b', 'b'].join('/') }).isAllowed).toBe(false);
  expect(authorizeGet(rules, { path: letters.join('/') }).isAllowed).toBe(true);
});
