import { parseExpression } from './parse-expression.ts';
import { newName } from './parse-name.ts';
import { parsePattern } from './parse-pattern.ts';
import { createScanner, shown, type Scanner } from './scanner.ts';
import type {
  AllowStatement,
  Expression,
  FunctionDeclaration,
  LetStatement,
  MatchBlock,
  Method,
  RulesFile,
} from './syntax.ts';

/** Throws a RulesError, and nothing else, for whatever is not a rules file of version 2. */
export function parseRules(file: string, source: string): RulesFile {
  const scanner = createScanner(file, source);
  if (source.length > MAX_CHARACTERS) {
    scanner.fail({ line: 1, column: 1 }, 'A rules file has at most 256 KiB.');
  }
  parseVersion(scanner);
  const serviceAt = scanner.expect('service').at;
  const service = parseServiceName(scanner);
  scanner.expect('{');
  const block = parseBlock(scanner, 0);
  scanner.expect('}');
  const rest = scanner.peek();
  if (rest.kind !== 'end') {
    scanner.fail(rest.at, `${shown(rest)} follows the service; a file has one service.`);
  }
  return { service, serviceAt, functions: block.functions, matches: block.matches };
}

const MAX_CHARACTERS = 256 * 1024;
const MAX_NESTED_MATCHES = 10;
const MAX_PARAMETERS = 7;
const MAX_LETS = 10;

function parseVersion(scanner: Scanner): void {
  const first = scanner.peek();
  if (!scanner.is('rules_version')) {
    scanner.fail(first.at, "rules_version = '2'; is missing at the beginning.");
  }
  scanner.take();
  scanner.expect('=');
  const version = scanner.take();
  if (version.kind !== 'string' || version.text !== '2') {
    scanner.fail(version.at, "Only rules_version '2' is supported.");
  }
  scanner.expect(';');
}

function parseServiceName(scanner: Scanner): string {
  const words = [scanner.expectName('The name of the service').text];
  while (scanner.accept('.') !== null) {
    words.push(scanner.expectName('The name of the service').text);
  }
  return words.join('.');
}

type MatchBody = Pick<MatchBlock, 'functions' | 'matches' | 'allows'>;

/** Until the closing brace, which is left. Depth 0 is the service, where nothing is allowed. */
function parseBlock(scanner: Scanner, depth: number): MatchBody {
  const functions: FunctionDeclaration[] = [];
  const matches: MatchBlock[] = [];
  const allows: AllowStatement[] = [];
  while (!scanner.is('}')) {
    const token = scanner.peek();
    if (scanner.is('function')) functions.push(parseFunction(scanner));
    else if (scanner.is('match')) matches.push(parseMatch(scanner, depth + 1));
    else if (scanner.is('allow') && depth > 0) allows.push(parseAllow(scanner));
    else {
      const may = depth > 0 ? 'allow, match or function' : 'match or function';
      scanner.fail(token.at, `${may} is expected here, not ${shown(token)}.`);
    }
  }
  return { functions: checkFunctions(scanner, functions), matches, allows };
}

function checkFunctions(
  scanner: Scanner,
  functions: readonly FunctionDeclaration[],
): readonly FunctionDeclaration[] {
  const names = new Set<string>();
  for (const { name, at } of functions) {
    if (names.has(name)) scanner.fail(at, `The function "${name}" is declared here already.`);
    names.add(name);
  }
  return functions;
}

function parseMatch(scanner: Scanner, depth: number): MatchBlock {
  const { at } = scanner.expect('match');
  if (depth > MAX_NESTED_MATCHES) {
    scanner.fail(at, `match is nested deeper than ${MAX_NESTED_MATCHES} levels.`);
  }
  const pattern = parsePattern(scanner);
  scanner.expect('{');
  const block = parseBlock(scanner, depth);
  scanner.expect('}');
  return { at, pattern, ...block };
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
  let condition: Expression | null = null;
  if (scanner.accept(':') !== null) {
    scanner.expect('if');
    condition = parseExpression(scanner);
  }
  scanner.expect(';');
  return { at, words, methods, condition };
}

function parseFunction(scanner: Scanner): FunctionDeclaration {
  scanner.expect('function');
  const { text: name, at } = newName(scanner, 'The name of the function');
  const parameters = parseParameters(scanner);
  scanner.expect('{');
  const lets: LetStatement[] = [];
  while (scanner.is('let'))
    lets.push(parseLet(scanner, [...parameters, ...lets.map((each) => each.name)]));
  if (lets.length > MAX_LETS)
    scanner.fail(at, `A function has at most ${MAX_LETS} let statements.`);
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
    const name = newName(scanner, 'The name of a parameter');
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
  scanner.expect('let');
  const { text: name, at } = newName(scanner, 'The name of the variable');
  if (taken.includes(name)) scanner.fail(at, `"${name}" is declared in this function already.`);
  scanner.expect('=');
  const value = parseExpression(scanner);
  scanner.expect(';');
  return { at, name, value };
}
