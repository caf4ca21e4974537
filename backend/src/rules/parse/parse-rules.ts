import { bool } from '../rule-value.ts';
import { parseExpression } from './parse-expression.ts';
import { createScanner, shown, type Scanner } from './scanner.ts';
import type {
  AllowStatement,
  Block,
  Expression,
  FunctionDeclaration,
  LetStatement,
  MatchBlock,
  Method,
  PatternSegment,
  RulesFile,
} from './syntax.ts';

const MAX_CHARACTERS = 256 * 1024;
const MAX_NESTED_MATCHES = 10;
const MAX_PARAMETERS = 7;
const MAX_LETS = 10;

/** Throws a RulesError, and nothing else, for whatever is not a rules file of version 2. */
export function parseRules(file: string, source: string): RulesFile {
  const scanner = createScanner(file, source);
  if (source.length > MAX_CHARACTERS) {
    scanner.fail({ line: 1, column: 1 }, 'A rules file has at most 256 KiB.');
  }
  parseVersion(scanner);
  const serviceAt = scanner.expect('service').at;
  const service = parseServiceName(scanner);
  const block = parseBlock(scanner, 0);
  const rest = scanner.peek();
  if (rest.kind !== 'end') {
    scanner.fail(rest.at, `${shown(rest)} follows the service; a file has one service.`);
  }
  return { service, serviceAt, ...block };
}

function parseVersion(scanner: Scanner): void {
  if (scanner.accept('rules_version') === null) {
    scanner.fail(scanner.peek().at, "rules_version = '2'; is missing at the beginning.");
  }
  scanner.expect('=');
  const version = scanner.take();
  if (version.kind !== 'string' || version.text !== '2') {
    scanner.fail(version.at, "Only rules_version '2' is supported.");
  }
  scanner.expect(';');
}

function parseServiceName(scanner: Scanner): string {
  const words: string[] = [];
  do words.push(scanner.expectName('The name of the service').text);
  while (scanner.accept('.') !== null);
  return words.join('.');
}

/** Depth 0 is the service, where nothing is allowed. */
function parseBlock(scanner: Scanner, depth: number): Block {
  const functions = new Map<string, FunctionDeclaration>();
  const matches: MatchBlock[] = [];
  const allows: AllowStatement[] = [];
  scanner.expect('{');
  while (scanner.accept('}') === null) {
    if (scanner.is('function')) {
      const declared = parseFunction(scanner);
      if (functions.has(declared.name)) {
        scanner.fail(declared.at, `The function "${declared.name}" is declared here already.`);
      }
      functions.set(declared.name, declared);
    } else if (scanner.is('match')) matches.push(parseMatch(scanner, depth + 1));
    else if (scanner.is('allow') && depth > 0) allows.push(parseAllow(scanner));
    else {
      const { at } = scanner.peek();
      const may = depth > 0 ? 'allow, match or function' : 'match or function';
      scanner.fail(at, `${may} is expected here, not ${shown(scanner.peek())}.`);
    }
  }
  return { functions: [...functions.values()], matches, allows };
}

function parseMatch(scanner: Scanner, depth: number): MatchBlock {
  const { at } = scanner.expect('match');
  if (depth > MAX_NESTED_MATCHES) {
    scanner.fail(at, `match is nested deeper than ${MAX_NESTED_MATCHES} levels.`);
  }
  const pattern = parsePattern(scanner);
  return { pattern, ...parseBlock(scanner, depth) };
}

const SLASH = /\//y;
const OPENING = /\{/y;
const TEXT = /[\w.~%@+-]+|\([\w-]+\)/y;

/** The path of a match: texts, `{one}` segment, `{any=**}` number of segments. */
function parsePattern(scanner: Scanner): readonly PatternSegment[] {
  const segments: PatternSegment[] = [];
  if (scanner.accept('/') === null) {
    scanner.fail(scanner.peek().at, 'The path of the match is missing.');
  }
  do {
    const text = scanner.raw(TEXT);
    if (text !== null) segments.push({ kind: 'text', text });
    else if (scanner.raw(OPENING) !== null) segments.push(parseWildcard(scanner, segments));
    else scanner.fail(scanner.here(), 'A segment of a path is missing.');
  } while (scanner.raw(SLASH) !== null);
  return segments;
}

function parseWildcard(scanner: Scanner, before: readonly PatternSegment[]): PatternSegment {
  const { text: name, at } = scanner.expectNewName('The name of the wildcard');
  const isRecursive = scanner.accept('=') !== null;
  if (isRecursive) {
    if (before.some(({ kind }) => kind === 'many')) {
      scanner.fail(at, 'A match has one recursive wildcard at most.');
    }
    scanner.expect('*');
    scanner.expect('*');
  }
  scanner.expect('}');
  return { kind: isRecursive ? 'many' : 'one', name, at };
}

const METHODS: ReadonlyMap<string, readonly Method[]> = new Map<string, readonly Method[]>([
  ['read', ['get', 'list']],
  ['write', ['create', 'update', 'delete']],
  ['get', ['get']],
  ['list', ['list']],
  ['create', ['create']],
  ['update', ['update']],
  ['delete', ['delete']],
]);

function parseAllow(scanner: Scanner): AllowStatement {
  const { at } = scanner.expect('allow');
  const words: string[] = [];
  const methods = new Set<Method>();
  do {
    const word = scanner.expectName('A method');
    const meant = METHODS.get(word.text);
    if (meant === undefined) {
      return scanner.fail(word.at, `There is no method "${word.text}" to allow.`);
    }
    if (words.includes(word.text)) scanner.fail(word.at, `"${word.text}" is named already.`);
    words.push(word.text);
    for (const each of meant) methods.add(each);
  } while (scanner.accept(',') !== null);
  let condition: Expression = { kind: 'literal', at, value: bool(true) };
  if (scanner.accept(':') !== null) {
    scanner.expect('if');
    condition = parseExpression(scanner);
  }
  scanner.expect(';');
  return { at, words, methods, condition };
}

function parseFunction(scanner: Scanner): FunctionDeclaration {
  scanner.expect('function');
  const { text: name, at } = scanner.expectNewName('The name of the function');
  const parameters = parseParameters(scanner);
  const lets: LetStatement[] = [];
  scanner.expect('{');
  while (scanner.accept('let') !== null) {
    lets.push(parseLet(scanner, [...parameters, ...lets.map((each) => each.name)]));
  }
  if (lets.length > MAX_LETS) {
    scanner.fail(at, `A function has at most ${MAX_LETS} let statements.`);
  }
  scanner.expect('return');
  const result = parseExpression(scanner);
  scanner.expect(';');
  scanner.expect('}');
  return { at, name, parameters, lets, result };
}

function parseParameters(scanner: Scanner): readonly string[] {
  const { at } = scanner.expect('(');
  const parameters: string[] = [];
  while (!scanner.is(')')) {
    const name = scanner.expectNewName('The name of a parameter');
    if (parameters.includes(name.text)) {
      scanner.fail(name.at, `The parameter "${name.text}" is there already.`);
    }
    parameters.push(name.text);
    if (scanner.accept(',') === null) break;
  }
  scanner.expect(')');
  if (parameters.length > MAX_PARAMETERS) {
    scanner.fail(at, `A function has at most ${MAX_PARAMETERS} parameters.`);
  }
  return parameters;
}

function parseLet(scanner: Scanner, taken: readonly string[]): LetStatement {
  const { text: name, at } = scanner.expectNewName('The name of the variable');
  if (taken.includes(name)) scanner.fail(at, `"${name}" is declared in this function already.`);
  scanner.expect('=');
  const value = parseExpression(scanner);
  scanner.expect(';');
  return { name, value };
}
