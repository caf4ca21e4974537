import { describe, expect, it } from 'vitest';
import { compile, firestoreRules } from '../../../tests/support/rules-kit.ts';
import { RulesError } from '../rules-error.ts';
import type { Service } from '../library/services.ts';

function refusal(source: string, service?: Service): string {
  try {
    compile(source, service);
  } catch (error) {
    if (error instanceof RulesError) return error.message;
    throw error;
  }
  return 'accepted';
}

/** Returns rules with a match with one wildcard; the condition begins at line 4, column 16. */
const allowing = (condition: string, functions = '') =>
  firestoreRules(`match /pets/{petId} {\nallow read: if ${condition};\n${functions}\n}`);

describe('a file is refused where it is wrong', () => {
  it.each([
    ['', `1:1: rules_version = '2'; is missing at the beginning.`],
    [`rules_version = '1';`, `1:17: Only rules_version '2' is supported.`],
    ['rules_version = 2;', `1:17: Only rules_version '2' is supported.`],
    [`rules_version = '2'`, '1:20: ";" is missing before the end of the file.'],
    [`rules_version = '2';`, '1:21: "service" is missing before the end of the file.'],
    [`rules_version = '2';\n\nimport 'x';`, '3:1: "service" is missing before "import".'],
    [
      `rules_version = '2';\nservice firebase.storage {}`,
      '2:1: This file must be of the service cloud.firestore, not firebase.storage.',
    ],
    [
      `rules_version = '2'; service cloud.firestore {} service cloud.firestore {}`,
      '1:49: "service" follows the service; a file has one service.',
    ],
    [
      `rules_version = '2'; service cloud.firestore {`,
      '1:47: match or function is expected here, not the end of the file.',
    ],
    [firestoreRules('allow read;'), '3:1: match or function is expected here, not "allow".'],
    [firestoreRules('match {}'), '3:7: The path of the match is missing.'],
    [firestoreRules('match / {}'), '3:8: A segment of a path is missing.'],
    [firestoreRules('match /a/ {}'), '3:10: A segment of a path is missing.'],
    [firestoreRules('match /a/{b=*} {}'), '3:14: "*" is missing before "}".'],
    [firestoreRules('match /a/{} {}'), '3:11: The name of the wildcard is missing before "}".'],
    [
      firestoreRules('match /a/{request} {}'),
      '3:11: "request" is a word of the language and names nothing else.',
    ],
    [
      firestoreRules('match /{a=**}/b/{c=**} {}'),
      '3:18: A match has one recursive wildcard at most.',
    ],
    [
      firestoreRules('match /a/{b} { match /c/{b} {} }'),
      '3:26: The wildcard "b" is in this path already.',
    ],
    [
      firestoreRules('match /a/{b} { deny read; }'),
      '3:16: allow, match or function is expected here, not "deny".',
    ],
    [firestoreRules('match /a/{b} { allow; }'), '3:21: A method is missing before ";".'],
    [firestoreRules('match /a/{b} { allow look; }'), '3:22: There is no method "look" to allow.'],
    [firestoreRules('match /a/{b} { allow get, get; }'), '3:27: "get" is named already.'],
    [firestoreRules('match /a/{b} { allow read }'), '3:27: ";" is missing before "}".'],
    [firestoreRules('match /a/{b} { allow read: true; }'), '3:28: "if" is missing before "true".'],
    [
      firestoreRules('match /a/bbb {'.repeat(11) + '}'.repeat(11)),
      '3:141: match is nested deeper than 10 levels.',
    ],
    [`${firestoreRules('')}${' '.repeat(256 * 1024)}`, '1:1: A rules file has at most 256 KiB.'],
    [firestoreRules('/* open'), '3:1: A comment is not closed.'],
  ])('in its structure: %#', (source, sentence) => {
    expect(refusal(source)).toBe(`test.rules:${sentence}`);
  });

  it.each([
    ['', 'An expression is missing before ";".', 16],
    ['1 +', 'An expression is missing before ";".', 19],
    ['let', 'An expression is missing before "let".'],
    ['(true', '")" is missing before ";".', 21],
    ['true true', '";" is missing before "true".', 21],
    ['#', '"#" is not part of the language.'],
    ['petId === id', 'An expression is missing before "=".', 24],
    ['1 == = 1', 'An expression is missing before "=".', 21],
    ['12abc', 'This number is not part of the language.'],
    ['9223372036854775808 > 1', '9223372036854775808 is more than an integer can hold.'],
    ["'open", 'A string is not closed on its line.'],
    ["'\\d'", 'This escape is unknown: write \\\\ for a backslash.', 17],
    ['{a: 1} == {}', 'A key of a map must be a string, not "a".', 17],
    ["{'a': 1, 'a': 2} == {}", 'The key "a" is in the map already.', 25],
    ['/a/ == /b', 'A segment of a path is missing.', 19],
    ['1 is integer', 'There is no type "integer".', 21],
    ['owner == 1', 'There is no variable "owner" here.'],
    ['database == 1', 'There is no variable "database" here.'],
    ['get == 1', '"get" is a function: its arguments are missing.'],
    ['isOwner()', 'There is no function "isOwner" here.'],
    ['firestore.exists(/a/b)', 'There is no variable "firestore" here.'],
    ["petId.startsWith('a')", 'There is no method "startsWith".', 22],
    ["petId.constructor('a')", 'There is no method "constructor".', 22],
    ['petId.size(1) == 1', '"size" takes 0 arguments, not 1.', 22],
    ["petId.split() == ['a']", '"split" takes 1 argument, not 0.', 22],
    ["{}.get('a') == 1", '"get" takes 2 arguments, not 1.', 19],
    ['get() == null', '"get" takes 1 argument, not 0.'],
    ["petId.matches('(')", 'A regular expression is malformed.', 30],
    ['(true)()', 'Only a function or a method can be called.', 22],
    [
      `${'('.repeat(101)}true${')'.repeat(101)}`,
      'An expression is nested deeper than 100 levels.',
      116,
    ],
    [`1${' + 1'.repeat(1000)} > 1`, 'An expression has more than 1000 parts.', 2014],
  ])('in a condition: %#', (condition, sentence, column = 16) => {
    const refused = refusal(allowing(condition));
    expect(refused).toBe(`test.rules:4:${column}: ${sentence}`);
  });

  it.each([
    [
      'function f() { return 1; } function f() { return 2; }',
      37,
      'The function "f" is declared here already.',
    ],
    ['function get() { return 1; }', 10, '"get" is a function of the language already.'],
    ['function if() { return 1; }', 10, '"if" is a word of the language and names nothing else.'],
    ['function f(a, a) { return 1; }', 15, 'The parameter "a" is there already.'],
    [
      'function f(a, b, c, d, e, f, g, h) { return 1; }',
      11,
      'A function has at most 7 parameters.',
    ],
    ['function f(a) { let a = 1; return a; }', 21, '"a" is declared in this function already.'],
    ['function f() { let a = a; return a; }', 24, 'There is no variable "a" here.'],
    ['function f() { let a = 1 return a; }', 26, '";" is missing before "return".'],
    ['function f() { }', 16, '"return" is missing before "}".'],
    ['function f() { return 1 }', 25, '";" is missing before "}".'],
    ['function f() { return f(); }', 23, 'There is no function "f" here.'],
    [
      'function f() { return g(); } function g() { return f(); }',
      23,
      'There is no function "g" here.',
    ],
    [
      'function f(a) { return 1; } function g() { return f(); }',
      51,
      '"f" takes 1 argument, not 0.',
    ],
    [
      `function f() { ${'let a = 1; '.repeat(11).replaceAll(/a/g, () => `a${++lets}`)}return 1; }`,
      10,
      'A function has at most 10 let statements.',
    ],
  ])('in a function: %s', (functions, column, sentence) => {
    expect(refusal(allowing('true', functions))).toBe(`test.rules:5:${column}: ${sentence}`);
  });

  it('when calls go deeper than 20', () => {
    const chain = (length: number) =>
      Array.from(
        { length },
        (_, at) => `function f${at}() { return ${at === 0 ? 'true' : `f${at - 1}()`}; }`,
      ).join('\n');
    // A condition follows the functions that it calls.
    const calling = (length: number) =>
      firestoreRules(`${chain(length)}\nmatch /a/{b} { allow read: if f${length - 1}(); }`);
    expect(refusal(calling(20))).toBe('accepted');
    expect(refusal(calling(21))).toBe('test.rules:23:10: Calls go deeper than 20 here.');
    expect(refusal(calling(5000))).toContain('Calls go deeper than 20 here.');
  });

  it('when it calls what is in another scope', () => {
    const inner = firestoreRules(
      'match /a/{b} { function f() { return b == "x"; } }\nmatch /c/{d} { allow read: if f(); }',
    );
    expect(refusal(inner)).toBe('test.rules:4:31: There is no function "f" here.');
    const outer = firestoreRules(
      'function f() { return b == "x"; }\nmatch /a/{b} { allow read: if f(); }',
    );
    expect(refusal(outer)).toBe('test.rules:3:23: There is no variable "b" here.');
  });

  it('of Storage when it uses what only Firestore has', () => {
    const storage = (condition: string) =>
      `rules_version = '2';\nservice firebase.storage {\nmatch /b/{bucket}/o {\nmatch /{name} {\nallow read: if ${condition};\n}}}`;
    const reading = 'firestore.get(/databases/(default)/documents/a/b).data.c == name';
    expect(refusal(storage(reading), 'firebase.storage')).toBe('accepted');
    expect(refusal(storage('resource.size < 5 * 1024 * 1024'), 'firebase.storage')).toBe(
      'accepted',
    );
    expect(refusal(storage('getAfter(/a/b) == null'), 'firebase.storage')).toBe(
      'test.rules:5:16: There is no function "getAfter" here.',
    );
    const refusalOf = (condition: string) => refusal(storage(condition), 'firebase.storage');
    expect(refusalOf('firestore == 1')).toBe(
      'test.rules:5:16: "firestore" is a namespace and no value.',
    );
    expect(refusalOf('firestore.a == 1')).toBe('test.rules:5:26: "firestore.a" is no value.');
    expect(refusalOf('firestore.set(1) == 1')).toBe(
      'test.rules:5:26: There is no function "firestore.set".',
    );
  });
});

let lets = 0;

it('every allow line is known by its place and its methods', () => {
  const { allowLines } = compile(
    firestoreRules(
      'match /a/{b} {\n  allow get, create: if true;\n  match /c/{d} { allow write; }\n  allow list;\n}',
    ),
  );
  expect(allowLines).toEqual([
    { line: 4, column: 3, words: ['get', 'create'] },
    { line: 5, column: 18, words: ['write'] },
    { line: 6, column: 3, words: ['list'] },
  ]);
});
