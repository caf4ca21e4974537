import { array, assert, constantFrom, letrec, oneof, property, string, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile, evaluate, firestoreRules } from '../../tests/support/rules-kit.ts';
import { RulesError } from './rules-error.ts';

type Loaded = 'accepted' | 'refused' | 'misplaced';

/** Loads any text; the loader must return rules or throw a RulesError with a position in the file. */
function load(source: string): Loaded {
  try {
    compile(source);
    return 'accepted';
  } catch (error) {
    if (!(error instanceof RulesError)) throw error;
    const line = source.split('\n')[error.line - 1];
    const isInside = line !== undefined && error.column >= 1 && error.column <= line.length + 1;
    return isInside && error.sentence.endsWith('.') ? 'refused' : 'misplaced';
  }
}

const vocabulary = [
  ...'rules_version service match allow read write get if function return let true false null in is'.split(
    ' ',
  ),
  ...'request resource auth uid data math abs timestamp date f a b size keys matches int list'.split(
    ' ',
  ),
  ...'{ } ( ) [ ] / . , ; : ? = == != < > <= >= && || ! + - * / % $( {a} {a=**} ** \n // /*'.split(
    ' ',
  ),
  ...`'2' 'a' "b" '\\' 0 1 2.5 9999999999999999999 __proto__ constructor # \\ 😀`.split(' '),
];
const words = (separator: string) =>
  array(constantFrom(...vocabulary), { maxLength: 40 }).map((each) => each.join(separator));
const soup = oneof(words(' '), words(''), string({ unit: 'grapheme', maxLength: 60 }));

const inBlock = (each: string) => firestoreRules(`match /a/{b} { ${each} }`);
const inCondition = (each: string) => inBlock(`allow read: if ${each};`);

describe('the loader', () => {
  it.each([
    ['text', (each: string) => each],
    ['block', inBlock],
    ['condition', inCondition],
  ])('answers any %s with rules or a refusal', (_name, wrap) => {
    const isFine = (each: string) => {
      expect(load(wrap(each))).not.toBe('misplaced');
    };
    assert(property(soup, isFine), { numRuns: 500 });
  });

  it.each([
    ['(', ')'],
    ['[', ']'],
    ['!', ''],
    ['-', ''],
    ["{'a':", '}'],
    ['/a/$(', ')'],
    ['true ? ', ': 1'],
    ['', '.a'],
    ['', '[0]'],
    ['true && (', ')'],
    ['1 + ', ''],
  ])('is not exhausted by 20,000 times %s', (open, close) => {
    const condition = `${open.repeat(20_000)}petId${close.repeat(20_000)}`;
    expect(load(firestoreRules(`match /a/{petId} { allow read: if ${condition}; }`))).toBe(
      'refused',
    );
  });

  it('is not exhausted by a long chain', () => {
    const chain = Array.from({ length: 400 }, () => 'petId').join(' == ');
    expect(load(firestoreRules(`match /a/{petId} { allow read: if ${chain}; }`))).toBe('accepted');
  });
});

/** Expressions with values of every type, most of them with type errors. */
const { expression } = letrec<{ expression: string }>((tie) => ({
  expression: oneof(
    { depthSize: 'small', withCrossShrink: true },
    constantFrom(
      "'a'",
      "''",
      '1',
      '0',
      '2.5',
      'true',
      'false',
      'null',
      '[]',
      '{}',
      "{'a': 1}",
      '/a/b',
      'request.time',
      'resource.data',
      'request',
      'request.auth',
      'id',
      "{}.diff({'a': 1})",
    ),
    tuple(
      tie('expression'),
      constantFrom('+', '-', '*', '/', '%', '==', '!=', '<', '>=', 'in', '&&', '||'),
      tie('expression'),
    ).map(([left, operator, right]) => `(${left} ${operator} ${right})`),
    tuple(
      tie('expression'),
      constantFrom(
        '.size()',
        '.keys()',
        '.a',
        '.get("a", 0)',
        '[0]',
        '["a"]',
        ' is map',
        '.hasAll([1])',
        '.matches(".*")',
      ),
    ).map(([object, access]) => `((${object})${access})`),
    tie('expression').map((each) => `!(${each})`),
    tie('expression').map((each) => `[${each}, 1]`),
  ),
}));

it('an expression that was accepted ends with a bool or with an error of the language', () => {
  let allowed = 0;
  const isFine = (each: string) => {
    const result = evaluate(`(${each}) == (${each}) || true`);
    allowed += result === true ? 1 : 0;
    expect(result).toBe(true);
    expect(['boolean', 'string']).toContain(typeof evaluate(each));
  };
  assert(property(expression, isFine), { numRuns: 500 });
  expect(allowed).toBeGreaterThan(0);
});
