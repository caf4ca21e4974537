import { describe, expect, it } from 'vitest';
import { evaluate, signedIn } from '../../tests/support/rules-kit.ts';
import { list, map, text, type RuleValue } from './rule-value.ts';

/** True expressions, written as in a rules file. */
const trueExpressions: Readonly<Record<string, readonly string[]>> = {
  'literals and operators': [
    'true',
    '!false',
    '!!true',
    '1 + 2 * 3 == 7',
    '(1 + 2) * 3 == 9',
    '7 / 2 == 3',
    '-7 / 2 == -3',
    '7 % 3 == 1',
    '-7 % 3 == -1',
    '7.0 / 2 == 3.5',
    '1 / 2.0 == 0.5',
    '1.0 / 0 > 1e300',
    '1 == 1.0',
    '1 != 2',
    '9223372036854775807 > 9223372036854775806',
    '9007199254740993 != 9007199254740992.0',
    '- - 1 == 1',
    '2 - -1 == 3',
    '1e3 == 1000',
    "'a' + 'b' == 'ab'",
    '"double" == \'double\'',
    "'\\u0041\\x42\\n\\\\' == 'AB\\n\\\\'",
    "'a' < 'b' && 'a' <= 'a' && 'b' > 'a' && 'b' >= 'b'",
    "'\\uffff' < '😀'",
    '1 < 1.5 && 1.5 <= 1.5 && 2 > 1.5 && 2 >= 2',
    'null == null',
    "null != 'null'",
    "1 != '1'",
    'true ? true : false',
    'false ? false : true ? true : false',
    '1 < 2 == true',
    '1 in [1, 2] == true',
    '2 > 1 in [true]',
    '/* a comment */ true // and another\n',
  ],
  'lists, maps and sets': [
    '[1, 2] == [1.0, 2]',
    '[1, 2] != [2, 1]',
    '[] == []',
    "{'a': 1, 'b': [2]} == {'b': [2], 'a': 1}",
    "{'a': 1} != {'a': 2} && {'a': 1} != {'b': 1} && {} != {'a': 1}",
    "{'a': {'b': 3}}.a.b == 3",
    "{'a': 1,}['a'] == 1",
    '[5, 6, 7,][1] == 6',
    '2 in [1, 2] && !(3 in [1, 2])',
    "'a' in {'a': null} && !('b' in {'a': null})",
    '[1, 2, 3].hasAll([3, 1]) && ![1, 2].hasAll([3])',
    '[1, 2].hasAny([2, 9]) && ![1, 2].hasAny([9]) && ![1].hasAny([])',
    '[1, 1].hasOnly([1, 2]) && ![1, 3].hasOnly([1, 2]) && [].hasOnly([1])',
    '[1, 2].size() == 2',
    "{'a': 1, 'b': 2}.keys() == ['a', 'b']",
    "{'a': 1, 'b': [2]}.values() == [1, [2]] && {}.values() == []",
    "['a', 'b', ''].join('-') == 'a-b-' && [].join('-') == ''",
    "{'a': 1}.size() == 1",
    "{'a': 1}.get('a', 9) == 1 && {'a': 1}.get('b', 9) == 9",
    "{'a': {'b': 1}}.get(['a', 'b'], 9) == 1 && {'a': 1}.get(['a', 'b'], 9) == 9",
    "{'a': null}.get('a', 9) == null",
  ],
  'differences of maps': [
    "{'a': 1, 'b': 2}.diff({'a': 1, 'c': 3}).addedKeys().hasOnly(['b'])",
    "{'a': 1, 'b': 2}.diff({'a': 1, 'c': 3}).addedKeys().size() == 1",
    "{'a': 1, 'b': 2}.diff({'a': 1, 'b': 3}).changedKeys().hasOnly(['b'])",
    "{'a': 1, 'b': 2}.diff({'a': 1, 'b': 3}).changedKeys().hasAll(['b'])",
    "{'a': 1, 'b': 2}.diff({'a': 2, 'c': 3}).affectedKeys().hasAll(['a', 'b', 'c'])",
    "{'a': 1, 'b': 2}.diff({'a': 2, 'c': 3}).affectedKeys().size() == 3",
    "{'a': 1}.diff({'a': 1}).affectedKeys().hasOnly([])",
    "{'a': 1, 'b': 2}.diff({}).addedKeys() == {'b': 1, 'a': 2}.diff({}).addedKeys()",
    "{'a': 1}.diff({}).addedKeys() != ['a'] && 'a' in {'a': 1}.diff({}).addedKeys()",
    "['a', 'b'].hasAll({'a': 1}.diff({}).addedKeys())",
    '{}.diff({}) is map_diff',
  ],
  strings: [
    "'a1'.matches('[a-z][0-9]') && !'xa1'.matches('[a-z][0-9]')",
    "'a.b'.matches('a[.]b') && 'a.b'.matches('a\\\\.b')",
    "'  a '.trim() == 'a'",
    "'😀a'.size() == 2 && '\\ud83d\\ud83d\\ude00\\ude00'.size() == 3 && ''.size() == 0",
    "'a,b,,c,'.split(',') == ['a', 'b', '', 'c', '']",
    "'a1b22'.split('[0-9]+') == ['a', 'b', '']",
  ],
  types: [
    'true is bool && !(1 is bool)',
    '1 is int && 1 is number && !(1 is float)',
    '1.0 is float && 1.0 is number && !(1.0 is int)',
    "'a' is string && [] is list && {} is map && {}.diff({}).addedKeys() is set",
    '/a/b is path && resource.__name__ is path',
    'request.time is timestamp && !(request.time is int)',
    '!(null is string) && !(null is map)',
    'request is map && resource is map && resource.data is map',
  ],
  time: [
    'request.time.date() < request.time && request.time.date().date() == request.time.date()',
    'request.time.toMillis() == 1767323045678 && request.time.date().toMillis() == 1767312000000',
  ],
  paths: [
    "/pets/$('re' + 'x') == /pets/rex",
    '/a/$(/b/c)/d == /a/b/c/d',
    '/a/b != /a/c',
    "/a/b[1] == 'b'",
    'request.path == /databases/(default)/documents/pets/rex',
    'resource.__name__ == request.path && resource["__name__"] == request.path',
    "database == '(default)' && collection == 'pets' && id == 'rex' && resource.id == id",
  ],
};

describe.each(Object.entries(trueExpressions))('%s', (_name, expressions) => {
  it.each(expressions)('%s', (expression) => {
    expect(evaluate(expression)).toBe(true);
    expect(evaluate(`!(${expression})`)).toBe(false);
  });
});

describe('an expression that cannot be evaluated denies, with a reason', () => {
  it.each([
    ['1', 'A value of type bool is needed, not int.'],
    ['null', 'A value of type bool is needed, not null.'],
    ["'true'", 'A value of type bool is needed, not string.'],
    ['!1', 'A value of type bool is needed, not int.'],
    ['1 ? true : true', 'A value of type bool is needed, not int.'],
    ['1 / 0 == 0', 'An integer is divided by zero.'],
    ['1 % 0 == 0', 'An integer is divided by zero.'],
    ['9223372036854775807 + 1 > 0', 'An integer overflows.'],
    ["1 + 'a' == '1a'", 'Values of type int and string cannot be joined by +.'],
    ['null < 1', 'Values of type null and int cannot be compared.'],
    ['true < false', 'Values of type bool and bool cannot be compared.'],
    ["'a' in 'abc'", 'A value of type string contains nothing.'],
    ['[1][1] == 1', 'An index is out of range.'],
    ['[1][-1] == 1', 'An index is out of range.'],
    ["[1]['0'] == 1", 'A value of type int is needed, not string.'],
    ["{'a': 1}.b == 1", '"b" is undefined.'],
    ["{'a': 1}['b'] == 1", '"b" is undefined.'],
    ['request.auth.uid == null', '"uid" is asked of a value of type null.'],
    ['request.query.limit < 9', '"query" is undefined.'],
    ['request.resource == null', '"resource" is undefined.'],
    ["'a'.hasAll(['a'])", 'A value of type string has no method "hasAll".'],
    ["'a'.matches(resource.id + '(')", 'A regular expression is malformed.'],
    ['/a/$(1) == /a/1', 'A value of type string is needed, not int.'],
    ['exists(/pets/rex)', 'The path is not that of a document.'],
    ['exists(/databases/(default)/documents/pets)', 'The path is not that of a document.'],
    ['exists(/databases/other/documents/pets/rex)', 'The path is not that of a document.'],
    ["exists(/databases/(default)/documents/pets/$('a/b'))", 'The path is not that of a document.'],
    ["exists('a')", 'A value of type path is needed, not string.'],
    ['{}.get("a", 1) == 1 && {}.keys().get("a", 1)', 'A value of type list has no method "get".'],
  ])('%s', (expression, sentence) => {
    expect(evaluate(expression)).toBe(sentence);
  });
});

describe('&& and || are decided by either side, whatever fails on the other', () => {
  const error = '(1 / 0 == 0)';
  it.each([
    [`false && ${error}`, false],
    [`${error} && false`, false],
    [`true || ${error}`, true],
    [`${error} || true`, true],
    [`true && ${error}`, 'An integer is divided by zero.'],
    [`${error} && true`, 'An integer is divided by zero.'],
    [`false || ${error}`, 'An integer is divided by zero.'],
    [`${error} || false`, 'An integer is divided by zero.'],
    [`${error} || ${error} || true`, true],
    [`1 || true`, true],
    [`1 && false`, false],
    [`!(${error} && false)`, true],
  ])('%s: %s', (expression, result) => {
    expect(evaluate(expression)).toBe(result);
  });
});

describe('fields and claims', () => {
  const fields = new Map<string, RuleValue>([
    ['__proto__', text('p')],
    ['constructor', text('c')],
    ['toString', text('t')],
    ['ref', { kind: 'reference', name: 'projects/p/databases/(default)/documents/pets/rex' }],
    ['nested', map(new Map([['deep', list([text('x')])]]))],
    ['nan', { kind: 'double', value: NaN }],
    ['blob', { kind: 'bytes', base64: 'YWJj' }],
  ]);
  it.each([
    ["resource.data.__proto__ == 'p' && resource.data.constructor == 'c'", true],
    ["resource.data['toString'] == 't'", true],
    ["resource.data.hasOwnProperty == 't'", '"hasOwnProperty" is undefined.'],
    ["'valueOf' in resource.data", false],
    ["{'a': 1}.get('constructor', 7) == 7", true],
    ["{'__proto__': 1}.keys() == ['__proto__']", true],
    ['resource.data.ref == request.path && resource.data.ref is path', true],
    ["resource.data.ref[3] == 'pets'", true],
    ["resource.data.nested.deep[0] == 'x'", true],
    ['resource.data.nan == resource.data.nan', false],
    ['resource.data.nan < 1 || resource.data.nan >= 1', false],
    ['resource.data.blob == resource.data.blob && resource.data.blob is bytes', true],
    ["request.auth.uid == 'alice' && request.auth.token.email == 'a@b.c'", true],
    ['request.auth.token.email_verified == true', '"email_verified" is undefined.'],
  ])('%s: %s', (expression, result) => {
    const auth = signedIn('alice', new Map([['email', text('a@b.c')]]));
    expect(evaluate(expression, { data: fields, auth })).toBe(result);
  });

  it('of a document that is missing are an error, and it is null', () => {
    expect(evaluate('resource == null', { data: null })).toBe(true);
    expect(evaluate('resource.data.a == 1', { data: null })).toBe(
      '"data" is asked of a value of type null.',
    );
  });
});

describe('functions', () => {
  it('take arguments, have variables and see the wildcards of their match', () => {
    const functions = `
      function isSix(id) { return id == 6; }
      function own(a) { let b = a + 1; let c = b * 2; return c == 6 && id == 'rex' && isSix(c); }`;
    expect(evaluate('own(2)', {}, functions)).toBe(true);
    expect(evaluate('own(3)', {}, functions)).toBe(false);
  });

  it('hide outer names by their own, and a function by a variable', () => {
    const functions = `function f(collection) { let exists = {'a': collection}; return exists.a == 'x'; }`;
    expect(evaluate("f('x')", {}, functions)).toBe(true);
  });

  it('fail as a whole with a variable that fails', () => {
    const functions = 'function f() { let a = 1 / 0; return true || a == 1; }';
    expect(evaluate('f()', {}, functions)).toBe('An integer is divided by zero.');
    expect(evaluate('f() || true', {}, functions)).toBe(true);
  });
});
