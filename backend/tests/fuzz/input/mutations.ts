import { isJsonObject } from '../../../src/json.ts';
import type { Random } from '../random.ts';

const deep = (depth: number, inner: unknown): unknown =>
  depth === 0 ? inner : { mapValue: { fields: { a: deep(depth - 1, inner) } } };

/** Values that programs often confuse with others or cannot handle. */
const nastyValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  -0,
  2 ** 53,
  99_999_999_999_999,
  '',
  '0',
  'NaN',
  '\0',
  '\ud800',
  '😀'.repeat(50),
  'x'.repeat(2000),
  '__proto__',
  '../..',
  `__id${'9'.repeat(2000)}__`,
  `${'('.repeat(200)}a+)+$`,
  '9'.repeat(400),
  'a/'.repeat(300),
  '2026-13-45T99:99:99Z',
  [],
  [[]],
  {},
  { a: { b: null } },
  { __proto__: 1 },
  { constructor: { prototype: {} } },
  { nullValue: 'x' },
  { integerValue: '9223372036854775808' },
  { doubleValue: 'Infinity' },
  { referenceValue: 'projects/x/databases/(default)/documents/a/b' },
  { arrayValue: { values: Array.from({ length: 300 }, () => ({ nullValue: null })) } },
  deep(19, { nullValue: null }),
  deep(200, { nullValue: null }),
];

const nastyKeys = [
  '__proto__',
  'constructor',
  'toString',
  '',
  'value',
  'fields',
  'a.b',
  '`',
  '\ud800',
];

export const nasty = (random: Random): unknown => random.pick(nastyValues);

/** Returns JSON with one to three parts replaced, duplicated or removed. */
export function mutateJson(random: Random, json: unknown): unknown {
  let mutated = json;
  for (let times = 1 + random.below(3); times > 0; times--) mutated = mutateOnce(random, mutated);
  return mutated;
}

/** Descends at random and changes the value where it stops. */
function mutateOnce(random: Random, json: unknown): unknown {
  const mustStop = random.below(4) === 0;
  if (Array.isArray(json) && json.length > 0 && !mustStop) {
    const at = random.below(json.length);
    const inner: unknown = json[at];
    if (random.below(6) === 0)
      return [...json, ...Array.from({ length: random.below(40) }, () => inner)];
    if (random.below(6) === 0) return json.filter((_, index) => index !== at);
    return json.map((each: unknown, index) => (index === at ? mutateOnce(random, each) : each));
  }
  if (isJsonObject(json) && Object.keys(json).length > 0 && !mustStop) {
    const key = random.pick(Object.keys(json));
    const { [key]: inner, ...rest } = json;
    if (random.below(8) === 0) return rest;
    if (random.below(8) === 0) return { ...rest, [random.pick(nastyKeys)]: inner };
    if (random.below(8) === 0) return { ...json, [random.pick(nastyKeys)]: nasty(random) };
    return { ...rest, [key]: mutateOnce(random, inner) };
  }
  return nasty(random);
}

const nastyPieces = [
  '\0',
  '\r\n',
  '%',
  '%00',
  '%ff',
  '%2e%2e%2f',
  '"',
  '\\',
  '{',
  '}',
  '[',
  ',',
  ':',
  '&',
  '=',
  '\ud83d',
  '😀',
  '-',
  '0',
];

/** Returns text with one to four cuts, insertions, repetitions or replaced characters. */
export function mutateText(random: Random, text: string): string {
  let mutated = text;
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(mutated.length + 1);
    const end = Math.min(mutated.length, at + random.below(20));
    const [before, part, after] = [
      mutated.slice(0, at),
      mutated.slice(at, end),
      mutated.slice(end),
    ];
    switch (random.below(5)) {
      case 0:
        mutated = before + after;
        break;
      case 1:
        mutated = before + random.pick(nastyPieces) + part + after;
        break;
      case 2:
        mutated = before + part.repeat(1 + random.below(20)) + after;
        break;
      case 3:
        mutated = before + String.fromCharCode(random.below(300)) + after;
        break;
      default:
        mutated = after + before + part;
    }
  }
  return mutated;
}

/** Returns the text, usually mutated, sometimes unchanged. */
export const maybeMutated = (random: Random, text: string): string =>
  random.below(3) === 0 ? mutateText(random, text) : text;
