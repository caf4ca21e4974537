import { describe, expect, it } from 'vitest';
import { applyMutant, placeMutants } from './place-mutants.ts';

/** Returns the text with each of its mutants in turn. */
const mutated = (text: string): string[] =>
  placeMutants('a.ts', text).map((mutant) => applyMutant(text, mutant));

describe('the mutants of a source file', () => {
  it('move the boundary of a comparison, and turn it around', () => {
    expect(mutated('const isOld = age > limit;')).toEqual([
      'const isOld = age >= limit;',
      'const isOld = age <= limit;',
    ]);
    expect(mutated('const isMine = owner === me;')).toEqual(['const isMine = owner !== me;']);
  });

  it('take either branch of a condition', () => {
    expect(mutated('const text = ready ? one : other;')).toEqual([
      'const text = true ? one : other;',
      'const text = false ? one : other;',
    ]);
  });

  it('never start a loop, and never make one that cannot end', () => {
    expect(mutated('while (more) { }')).toEqual(['while (false) { }']);
  });

  it('exchange operators, but do not subtract texts', () => {
    expect(mutated('const sum = a + b;')).toEqual(['const sum = a - b;']);
    expect(mutated('const both = a && b;')).toEqual(['const both = a || b;']);
    expect(mutated('const text = a + `b`;')).toEqual(["const text = a + '';"]);
  });

  it('do without a fallback, a negation and an optional chain', () => {
    expect(mutated('const a = b ?? c;')).toEqual(['const a = b;']);
    expect(mutated('const a = !b;')).toEqual(['const a = b;']);
    expect(mutated('const a = b?.c;')).toEqual(['const a = b.c;']);
    expect(mutated('const a = b?.[c];')).toEqual(['const a = b[c];']);
  });

  it('remove a statement, a loop, and the body of a function', () => {
    expect(mutated('await store.commit(plan);')).toEqual([';']);
    expect(mutated('for (const a of all) { }')).toEqual([';']);
    expect(mutated('function run() { return one; }')).toEqual(['function run() {}']);
    expect(mutated('const run = () => one;')).toEqual(['const run = () => undefined;']);
  });

  it('keep the call of a constructor to its parent', () => {
    expect(mutated('class A extends B { constructor() { super(); } }')).toEqual([]);
  });

  it('empty texts, arrays and objects', () => {
    expect(mutated("const a = 'one';")).toEqual(["const a = '';"]);
    expect(mutated("const a = '';")).toEqual(["const a = 'mutant';"]);
    expect(mutated('const a = [one];')).toEqual(['const a = [];']);
    expect(mutated('const a = { one };')).toEqual(['const a = {};']);
    expect(mutated("const a = { 'one': true };")).toContain("const a = { 'one': false };");
  });

  it('exchange methods, and leave out those that only choose or sort', () => {
    expect(mutated('const a = all.every(isOne);')).toEqual(['const a = all.some(isOne);']);
    expect(mutated('const a = all.filter(isOne);')).toEqual(['const a = all;']);
  });

  it.each([
    "import { a } from './a.ts';",
    "export { a } from './a.ts';",
    "type A = 'one' | 'two';",
    'interface A { readonly one: true }',
    "const a: 'one' | null = b;",
    "log('pushed', { count: 1 });",
    "deps.log('pushed');",
    "console.error('pushed', true);",
    "const report = () => log('lost');",
    "const a = new Error('no');",
    'const a = new CommandError(code, text, { cause: error });',
    "const a = import('./a.ts');",
    'const a = sql`select ${b}`;',
  ])('are none where no behaviour can change: %s', (text) => {
    expect(mutated(text)).toEqual([]);
  });

  it('know their line and what they replace', () => {
    expect(placeMutants('a.ts', '\n\nconst a = !b;')).toEqual([
      { file: 'a.ts', line: 3, start: 12, end: 14, original: '!b', replacement: 'b' },
    ]);
  });
});
