import type { Random } from '../random.ts';

/** Parts of random security rules: most rules are well-formed, and many of their expressions end with an error. */

const atoms = [
  "'a'",
  "''",
  '1',
  '0',
  '-9223372036854775807',
  '2.5',
  'true',
  'false',
  'null',
  '[]',
  '{}',
  "{'a': 1}",
  "['a', 'b', 1]",
  '/a/b',
  '/databases/(default)/documents/c/1',
  'request',
  'request.time',
  'request.auth',
  'request.auth.uid',
  'request.path',
  'request.method',
  'request.query.limit',
  'request.resource.data',
  'request.resource.data.a',
  'resource',
  'resource.data',
  'resource.data.a',
  'resource.data.b',
  'resource.data.c.d',
  'resource.id',
  "{}.diff({'a': 1})",
];

const infixes = ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', 'in', '&&', '||'];

const suffixes = [
  '.size()',
  '.keys()',
  '.a',
  '.data',
  '.get("a", 0)',
  '.get(["a", "b"], null)',
  '[0]',
  '["a"]',
  ' is map',
  ' is string',
  ' is list',
  '.hasAll([1])',
  '.hasAny(["a"])',
  '.hasOnly(["a"])',
  '.split("")',
  '.matches(".*")',
  '.matches("(a+)+$")',
  '.matches("(a|aa)+b")',
  '.split("(x+x+)+y")',
  '.trim()',
  '.toMillis()',
  '.affectedKeys()',
];

const malformed = [
  '.matches("[")',
  '.matches("a{1000}{1000}")',
  '.nothing()',
  '.size(1)',
  ' is thing',
];

const calls = ['exists', 'get', 'getAfter', 'existsAfter'];

/** The names in the scope of an expression. */
interface Scope {
  readonly variables: readonly string[];
  readonly functions: readonly string[];
}

const inMatch: Scope = { variables: ['id', 'database'], functions: ['f', 'g', 'h'] };

export function anyExpression(
  random: Random,
  scope: Scope = { variables: [], functions: [] },
): string {
  return expressionOf(random, { scope, depth: 0 });
}

function expressionOf(random: Random, { scope, depth }: { scope: Scope; depth: number }): string {
  const inner = () => expressionOf(random, { scope, depth: depth + 1 });
  const atom = () => random.pick(random.below(4) === 0 ? [...scope.variables, 'true'] : atoms);
  if (depth > 4) return atom();
  switch (random.below(13)) {
    case 0:
      return `!(${inner()})`;
    case 1:
      return `-(${inner()})`;
    case 2:
      return `(${inner()} ? ${inner()} : ${inner()})`;
    case 3:
      return `[${inner()}, ${inner()}]`;
    case 4:
      return `{'a': ${inner()}, 'b': ${inner()}}`;
    case 5:
      return `${random.pick(calls)}(/databases/(default)/documents/c/$(${inner()}))`;
    case 6:
      return scope.functions.length === 0 ? atom() : `${random.pick(scope.functions)}(${inner()})`;
    case 7:
    case 8:
      return `(${inner()} ${random.pick(infixes)} ${inner()})`;
    case 9:
    case 10:
      return `((${inner()})${random.pick(random.below(100) === 0 ? malformed : suffixes)})`;
    default:
      return atom();
  }
}

/** Creates functions that call the ones before them, since recursion is refused; rarely one breaks that. */
function functionsOf(random: Random): string[] {
  const names = ['f', 'g', 'h'];
  return names.map((name, at) => {
    const functions = random.below(50) === 0 ? names : names.slice(0, at);
    const inside = (variables: readonly string[]) =>
      anyExpression(random, { variables, functions });
    return `function ${name}(x) {
  let y = ${inside(['x', 'database'])};
  return ${inside(['x', 'y'])};
}`;
  });
}

const methods = ['read', 'write', 'get', 'list', 'create', 'update', 'delete', 'get, list'];
const patterns = [
  '{id=**}',
  '{c}/{id}',
  'c/{id}',
  'pets/{id}',
  'c/{id}/{rest=**}',
  '{rest=**}/c/{id}',
];

function allowOf(random: Random): string {
  const expression = anyExpression(random, inMatch);
  const condition = random.pick([
    expression,
    `(${expression}) == (${expression})`,
    `(${expression}) || true`,
    `(${expression}) && (${anyExpression(random, inMatch)})`,
  ]);
  return `allow ${random.pick(methods)}: if ${condition};`;
}

export function anyRules(random: Random): string {
  const matches = Array.from({ length: 1 + random.below(3) }, () => {
    const allows = Array.from({ length: 1 + random.below(3) }, () => allowOf(random));
    return `match /${random.pick(patterns)} {\n${allows.join('\n')}\n}`;
  });
  return `rules_version = '2';
service cloud.firestore {
match /databases/{database}/documents {
${functionsOf(random).join('\n')}
${matches.join('\n')}
}
}
`;
}
