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
    '[5, 6, 7][0:2] == [5, 6]',
    "'hello'[1:3] == 'el'",
    "'😀x'[1] == 'x'",
    '2 in [1, 2] && !(3 in [1, 2])',
    "'a' in {'a': null} && !('b' in {'a': null})",
    '1 in [1, 1].toSet()',
    '[1, 2, 1].toSet() == [2, 1].toSet()',
    '[1] != [1].toSet()',
    '[1, 1, 2].toSet().size() == 2',
    '[1].concat([2, 3]) == [1, 2, 3]',
    '[1, 2, 3].hasAll([3, 1]) && ![1, 2].hasAll([3])',
    '[1, 2].hasAny([2, 9]) && ![1, 2].hasAny([9]) && ![1].hasAny([])',
    '[1, 1].hasOnly([1, 2]) && ![1, 3].hasOnly([1, 2]) && [].hasOnly([1])',
    '[1, 2].hasAll([1].toSet())',
    "['a', 'b'].join('-') == 'a-b'",
    '[1, 2, 1, 3].removeAll([1]) == [2, 3]',
    '[1, 2].size() == 2',
    '[1, 2].toSet().difference([2].toSet()) == [1].toSet()',
    '[1, 2].toSet().intersection([2, 3].toSet()) == [2].toSet()',
    '[1].toSet().union([2].toSet()) == [1, 2].toSet()',
    '[1, 2].toSet().hasAll([1]) && [1].toSet().hasAny([1]) && [1].toSet().hasOnly([1])',
    "{'a': 1, 'b': 2}.keys() == ['a', 'b']",
    "{'a': 1, 'b': 2}.values() == [1, 2]",
    "{'a': 1}.size() == 1",
    "{'a': 1}.get('a', 9) == 1 && {'a': 1}.get('b', 9) == 9",
    "{'a': {'b': 1}}.get(['a', 'b'], 9) == 1 && {'a': 1}.get(['a', 'b'], 9) == 9",
    "{'a': null}.get('a', 9) == null",
  ],
  'differences of maps': [
    "{'a': 1, 'b': 2}.diff({'a': 1, 'c': 3}).addedKeys() == ['b'].toSet()",
    "{'a': 1, 'b': 2}.diff({'a': 1, 'c': 3}).removedKeys() == ['c'].toSet()",
    "{'a': 1, 'b': 2}.diff({'a': 1, 'b': 3}).changedKeys() == ['b'].toSet()",
    "{'a': 1, 'b': 2}.diff({'a': 1, 'b': 3}).unchangedKeys() == ['a'].toSet()",
    "{'a': 1, 'b': 2}.diff({'a': 2, 'c': 3}).affectedKeys() == ['a', 'b', 'c'].toSet()",
    "{'a': 1}.diff({'a': 1}).affectedKeys().hasOnly([])",
    '{}.diff({}) is map_diff',
  ],
  strings: [
    "'a1'.matches('[a-z][0-9]') && !'xa1'.matches('[a-z][0-9]')",
    "'a.b'.matches('a[.]b') && 'a.b'.matches('a\\\\.b')",
    "'ABC'.lower() == 'abc' && 'abc'.upper() == 'ABC'",
    "'  a '.trim() == 'a'",
    "'😀a'.size() == 2 && '\\ud83d\\ud83d\\ude00\\ude00'.size() == 3 && ''.size() == 0",
    "'a,b,,c,'.split(',') == ['a', 'b', '', 'c', '']",
    "'a1b22'.split('[0-9]+') == ['a', 'b', '']",
    "'a1b2'.replace('[0-9]', '$1') == 'a$1b$1'",
    "'é'.toUtf8().size() == 2",
    "'abc'.toUtf8().toBase64() == 'YWJj' && 'abc'.toUtf8().toHexString() == '616263'",
  ],
  bytes: [
    "b'*' == b'\\x2A' && b'*' == b'\\052' && b\"*\" == b'*'",
    "b'€' == b'\\342\\202\\254' && b'€' == b'\\xE2\\x82\\xAC' && b'€' == '€'.toUtf8()",
    "b'\\xFF\\xFF'.size() == 2 && b'a'.size() == 1 && b'€'.size() == 3 && b''.size() == 0",
    "b'\\xFB\\xEF\\xBE'.toBase64() == '----' && b'\\xFF\\xFF\\xFF'.toBase64() == '____'",
    "b'a'.toBase64() == 'YQ=='",
    "b'\\x2A'.toHexString() == '2A' && b'**'.toHexString() == '2A2A' && b'€'.toHexString() == 'E282AC'",
    "b'a' is bytes && b'a' != 'a' && b'\\n' == '\\n'.toUtf8()",
    "{'b': 1}.b == 1",
  ],
  types: [
    'true is bool && !(1 is bool)',
    '1 is int && 1 is number && !(1 is float)',
    '1.0 is float && 1.0 is number && !(1.0 is int)',
    "'a' is string && [] is list && {} is map && [].toSet() is set",
    "/a/b is path && 'a'.toUtf8() is bytes",
    'request.time is timestamp && (request.time - request.time) is duration',
    'latlng.value(1, 2) is latlng',
    '!(null is string) && !(null is map)',
    'request is map && resource is map && resource.data is map',
  ],
  'time and duration': [
    'request.time == timestamp.date(2026, 1, 2) + duration.time(3, 4, 5, 678000000)',
    'request.time.date() == timestamp.date(2026, 1, 2)',
    'request.time.time() == duration.time(3, 4, 5, 678000000)',
    'request.time.year() == 2026 && request.time.month() == 1 && request.time.day() == 2',
    'request.time.hours() == 3 && request.time.minutes() == 4 && request.time.seconds() == 5',
    'request.time.nanos() == 678000000 && request.time.toMillis() == 1767323045678',
    'timestamp.date(2026, 1, 4).dayOfWeek() == 7 && timestamp.date(2026, 1, 5).dayOfWeek() == 1',
    'timestamp.date(2024, 12, 31).dayOfYear() == 366 && timestamp.date(2026, 1, 1).dayOfYear() == 1',
    'timestamp.value(-1).nanos() == 999000000 && timestamp.value(-1).year() == 1969',
    'timestamp.value(1000) - timestamp.value(400) == duration.value(600, "ms")',
    'timestamp.value(0) < timestamp.value(1) && timestamp.value(1) >= timestamp.value(1)',
    'duration.value(1, "w") == duration.value(7, "d")',
    'duration.value(1, "h") == duration.value(60, "m")',
    'duration.value(1, "s") == duration.value(1000000000, "ns")',
    'duration.value(1, "s") + duration.value(1, "s") == duration.value(2, "s")',
    'duration.value(1, "s") - duration.value(3, "s") == -duration.value(2, "s")',
    'duration.abs(duration.value(-5, "s")) == duration.value(5, "s")',
    'duration.value(1500, "ms").seconds() == 1 && duration.value(1500, "ms").nanos() == 500000000',
    'duration.value(1, "m") > duration.value(59, "s")',
    'duration.value(1, "d") + timestamp.date(2026, 1, 1) == timestamp.date(2026, 1, 2)',
  ],
  'the other namespaces': [
    'math.abs(-3) == 3 && math.abs(-3) is int && math.abs(-1.5) == 1.5',
    'math.ceil(1.2) == 2 && math.floor(1.8) == 1 && math.round(1.5) == 2 && math.ceil(1.2) is int',
    'math.isNaN(0.0 / 0) && math.isInfinite(1.0 / 0) && !math.isNaN(1)',
    'math.pow(2, 10) == 1024 && math.sqrt(9) == 3',
    "hashing.md5('abc').toHexString() == '900150983CD24FB0D6963F7D28E17F72'",
    "hashing.sha256('abc'.toUtf8()).toBase64() == 'ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0='",
    "hashing.crc32('123456789').toHexString() == 'CBF43926'",
    "hashing.crc32c('123456789').toHexString() == 'E3069283'",
    'latlng.value(1.5, 2).latitude() == 1.5 && latlng.value(1.5, 2).longitude() == 2.0',
    'math.round(latlng.value(0, 0).distance(latlng.value(0, 1)) / 1000) == 111',
    "int('42') == 42 && int(4.9) == 4 && int(-4.9) == -4",
    "float('1.5') == 1.5 && float(2) == 2.0 && float(2) is float",
    "string(1) == '1' && string(2.0) == '2.0' && string(true) == 'true' && string(null) == 'null'",
    "bool('true') && !bool('false') && bool(true)",
    'debug(true)',
  ],
  paths: [
    "/pets/$('re' + 'x') == /pets/rex",
    '/a/$(/b/c)/d == /a/b/c/d',
    '/a/b != /a/c',
    "/a/b[1] == 'b'",
    '/a/b/c[1:3] == /b/c',
    "path('/a/b') == /a/b && path('a/b') == /a/b",
    "/pets/{name}.bind({'name': 'rex'}) == /pets/rex",
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
    ['[1, 2][1:3] == []', 'A range is beyond what is there.'],
    ["{'a': 1}.b == 1", '"b" is undefined.'],
    ["{'a': 1}['b'] == 1", '"b" is undefined.'],
    ['request.auth.uid == null', '"uid" is asked of a value of type null.'],
    ['request.query.limit < 9', '"query" is undefined.'],
    ['request.resource == null', '"resource" is undefined.'],
    ["'a'.hasAll(['a'])", 'A value of type string has no method "hasAll".'],
    ["[1].join(',') == '1'", 'A value of type string is needed, not int.'],
    ["'a'.matches(resource.id + '(')", 'A regular expression is malformed.'],
    ["int('a') == 1", 'This value of type string cannot become int.'],
    ["int('99999999999999999999') == 1", 'This value of type string cannot become int.'],
    ["float('') == 1", 'This value of type string cannot become float.'],
    ['string([]) == ""', 'This value of type list cannot become string.'],
    ["bool('yes')", 'This value of type string cannot become bool.'],
    ['timestamp.date(2026, 2, 30) == request.time', 'There is no such date.'],
    [
      'timestamp.value(999999999999999) > request.time',
      'A timestamp is not within the years 1 to 9999.',
    ],
    ['duration.value(1, "y") == duration.value(1, "y")', 'There is no such unit of time.'],
    ['latlng.value(91, 0) == latlng.value(91, 0)', 'There is no such place.'],
    ['math.sqrt("a") == 1', 'A value of type number is needed, not string.'],
    ['math.round(1.0 / 0) == 1', 'A number has no whole value.'],
    ['/a/$(1) == /a/1', 'A value of type string is needed, not int.'],
    ['/a/{b}.bind({}) == /a/b', '"b" is not bound.'],
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
    ["resource.data.blob == 'abc'.toUtf8()", true],
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
      function own(a) { let b = a + 1; let c = b * 2; return c == 6 && id == 'rex' && later(c); }
      function later(id) { return id == 6; }`;
    expect(evaluate('own(2)', {}, functions)).toBe(true);
    expect(evaluate('own(3)', {}, functions)).toBe(false);
  });

  it('hide outer names by their own, and a namespace by a variable', () => {
    const functions = `function f(collection) { let math = {'a': collection}; return math.a == 'x'; }`;
    expect(evaluate("f('x')", {}, functions)).toBe(true);
  });

  it('fail as a whole with a variable that fails', () => {
    const functions = 'function f() { let a = 1 / 0; return true || a == 1; }';
    expect(evaluate('f()', {}, functions)).toBe('An integer is divided by zero.');
    expect(evaluate('f() || true', {}, functions)).toBe(true);
  });
});
