import { describe, expect, it } from 'vitest';
import {
  evaluate,
  firestoreRules,
  authorizeGet,
  type Asked,
} from '../../tests/support/rules-kit.ts';

const documentsPath = '/databases/{database}/documents';
const isAllowed = (body: string, asked: Asked = {}) =>
  authorizeGet(firestoreRules(body), asked).isAllowed;
/** Whether `pets/rex/entries/1`, or what is asked for, is matched by a path under the documents. */
const matches = (pattern: string, path = 'pets/rex/entries/1', condition = 'true') =>
  isAllowed(`match ${documentsPath}${pattern} { allow get: if ${condition}; }`, { path });

describe('a match', () => {
  it.each([
    ['/pets/rex/entries/1', true],
    ['/pets/{pet}/entries/{entry}', true],
    ['/{a}/{b}/{c}/{d}', true],
    ['/pets/{pet}', false],
    ['/pets/{pet}/entries', false],
    ['/pets/{pet}/entries/{entry}/more/{id}', false],
    ['/pets/{pet}/notes/{entry}', false],
    ['/{rest=**}', true],
    ['/pets/rex/entries/1/{rest=**}', true],
    ['/{rest=**}/entries/{entry}', true],
    ['/{rest=**}/pets/{pet}/entries/{entry}', true],
    ['/pets/{rest=**}/1', true],
    ['/pets/{rest=**}/2', false],
  ])('of %s: %s', (pattern, result) => {
    expect(matches(pattern)).toBe(result);
  });

  it.each([
    ['/{a=**}/entries/{b}', "a == /pets/rex && b == '1'"],
    ['/pets/{a=**}', "a is path && a == /rex/entries/1 && a[1] == 'entries'"],
    ['/pets/{p}/{rest=**}', "p == 'rex' && p is string && rest == /entries/1"],
  ])('of %s binds its wildcards: %s', (pattern, condition) => {
    expect(matches(pattern, 'pets/rex/entries/1', condition)).toBe(true);
  });

  it('of a recursive wildcard binds no segments as well', () => {
    expect(matches('/pets/rex/{rest=**}', 'pets/rex', 'rest is path')).toBe(true);
  });

  it('inside a match continues its path, and does not inherit what that allows', () => {
    const nested = `match ${documentsPath} { match /pets/{pet} { allow get;
      match /entries/{entry} { allow get: if pet == 'rex' && entry == '1'; } } }`;
    expect(isAllowed(nested, { path: 'pets/rex' })).toBe(true);
    expect(isAllowed(nested, { path: 'pets/rex/entries/1' })).toBe(true);
    expect(isAllowed(nested, { path: 'pets/rex/entries/2' })).toBe(false);
    expect(isAllowed(nested, { path: 'pets/rex/notes/1' })).toBe(false);
  });

  it('inside a match can have a recursive wildcard of its own', () => {
    const nested = (middle: string) =>
      matches(
        `/{a=**}/${middle} { match /{b=**} { allow get: if a == /pets && b[1] == '1'; } } match /none`,
      );
    expect(nested('rex')).toBe(true);
    expect(nested('bello')).toBe(false);
  });

  it('of several that fit allows if one does', () => {
    const two = `match ${documentsPath} { match /pets/{pet} { allow get: if false; }
      match /pets/{any} { allow get: if 1 / 0 == 0; allow get: if any == 'rex'; } }`;
    const verdict = authorizeGet(firestoreRules(two));
    expect(verdict.isAllowed).toBe(true);
    expect(verdict.failures).toEqual([
      { line: 4, column: 27, sentence: 'An integer is divided by zero.' },
    ]);
    expect(isAllowed(two, { path: 'pets/bello' })).toBe(false);
  });

  it('allows only the methods it names', () => {
    const all = (methods: string) =>
      isAllowed(`match ${documentsPath}/{any=**} { allow ${methods}; }`);
    expect(
      ['get', 'read', 'list, get', 'list', 'write', 'create, update, delete'].map(all),
    ).toEqual([true, true, true, false, false, false]);
  });
});

describe('get and exists', () => {
  const documents = {
    'users/alice': new Map([['role', { kind: 'string', value: 'vet' } as const]]),
  };
  const after = { ...documents, 'users/bob': new Map() };
  const user = '/databases/$(database)/documents/users';
  it.each([
    [`get(${user}/alice).data.role == 'vet'`, true],
    [`get(${user}/alice).id == 'alice' && get(${user}/alice).__name__ == ${user}/alice`, true],
    [`get(${user}/bob) == null`, true],
    [`get(${user}/bob).data.role == 'vet'`, '"data" is asked of a value of type null.'],
    [`exists(${user}/alice) && !exists(${user}/bob)`, true],
    [`existsAfter(${user}/bob) && getAfter(${user}/bob).data.size() == 0`, true],
    [`getAfter(${user}/alice).data.role == 'vet'`, true],
  ])('%s: %s', (expression, result) => {
    expect(evaluate(expression, { documents, after })).toBe(result);
  });

  it('look at 10 different documents at most, however often', () => {
    const looking = (count: number, id: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => `!exists(${user}/none${id(at)})`).join(' && ');
    expect(evaluate(looking(10, String))).toBe(true);
    expect(evaluate(looking(11, String))).toBe('More than 10 documents are accessed.');
    expect(evaluate(looking(30, (at) => String(at % 10)))).toBe(true);
    expect(evaluate(`${looking(11, String)} || true`)).toBe('More than 10 documents are accessed.');
  });
});

it('a request evaluates 1,000 expressions at most, and nothing outweighs that', () => {
  const functions = `
    function a() { return ${Array.from({ length: 100 }, () => "id != 'x'").join(' && ')}; }
    function b() { return ${Array.from({ length: 10 }, () => 'a()').join(' && ')}; }`;
  expect(evaluate('a()', {}, functions)).toBe(true);
  expect(evaluate('b() || true', {}, functions)).toBe('More than 1000 expressions are evaluated.');
});
