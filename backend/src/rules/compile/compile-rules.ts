import { libraries, type Service } from '../library/services.ts';
import type { PatternSegment } from '../match-path.ts';
import { bool } from '../rule-value.ts';
import {
  createRuleset,
  type CompiledAllow,
  type CompiledMatch,
  type Method,
  type Ruleset,
} from '../ruleset.ts';
import { compileExpression } from './expressions.ts';
import { createScanner, shown, type Scanner } from './scanner.ts';
import type { CompiledFunction, Evaluate, Scope } from './scope.ts';

const maxCharacters = 256 * 1024;
const maxNestedMatches = 10;
const maxParameters = 7;
const maxLets = 10;
const maxCallDepth = 20;

/** Compiles rules. @throws {RulesError} with file, line and column for everything that it does not fully support. */
export function compileRules(
  source: string,
  { file, service }: { readonly file: string; readonly service: Service },
): Ruleset {
  const scanner = createScanner(file, source);
  if (source.length > maxCharacters) {
    scanner.fail(0, 'A rules file has at most 256 KiB.');
  }
  parseVersion(scanner);
  parseService(scanner, service);
  const matches: CompiledMatch[] = [];
  const scope = { library: libraries[service], captures: [], locals: [], visible: [], calls: [] };
  parseBlock({ scanner, scope, pattern: [], depth: 0, matches });
  const rest = scanner.peek();
  if (rest.kind !== 'end') {
    scanner.fail(rest.at, `${shown(rest)} follows the service; a file has one service.`);
  }
  return createRuleset(matches);
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

function parseService(scanner: Scanner, service: Service): void {
  const { at } = scanner.expect('service');
  const words: string[] = [];
  do words.push(scanner.expectName('The name of the service').text);
  while (scanner.accept('.') !== null);
  const name = words.join('.');
  if (name !== service) {
    scanner.fail(at, `This file must be of the service ${service}, not ${name}.`);
  }
}

interface Block {
  readonly scanner: Scanner;
  readonly scope: Scope;
  /** The path of the match, after the paths of the enclosing ones. */
  readonly pattern: readonly PatternSegment[];
  /** The nesting depth; 0 is the service, which can have no `allow`. */
  readonly depth: number;
  /** The compiled matches, in the order of the file. */
  readonly matches: CompiledMatch[];
}

function parseBlock(outer: Block): void {
  const { scanner, pattern, depth } = outer;
  const functions = new Map<string, CompiledFunction>();
  const scope = { ...outer.scope, visible: [functions, ...outer.scope.visible] };
  const allows: CompiledAllow[] = [];
  outer.matches.push({ pattern, allows });
  scanner.expect('{');
  while (scanner.accept('}') === null) {
    if (scanner.is('function')) {
      parseFunction(scanner, scope, functions);
    } else if (scanner.is('match')) parseMatch({ ...outer, scope, depth: depth + 1 });
    else if (scanner.is('allow') && depth > 0) allows.push(parseAllow(scanner, scope));
    else {
      const may = depth > 0 ? 'allow, match or function' : 'match or function';
      const { at } = scanner.peek();
      scanner.fail(at, `${may} is expected here, not ${shown(scanner.peek())}.`);
    }
  }
}

function parseMatch(block: Block): void {
  const { scanner, scope, depth } = block;
  const { at } = scanner.expect('match');
  if (depth > maxNestedMatches) {
    scanner.fail(at, `match is nested deeper than ${maxNestedMatches} levels.`);
  }
  const captures = [...scope.captures];
  const pattern = [...block.pattern, ...parsePattern(scanner, captures)];
  parseBlock({ ...block, pattern, scope: { ...scope, captures } });
}

const openingPattern = /\{/y;

/** Parses a match path: texts, `{one}` segment, `{any=**}` number of segments; appends its wildcards to `captures`. */
function parsePattern(scanner: Scanner, captures: string[]): readonly PatternSegment[] {
  const segments: PatternSegment[] = [];
  if (scanner.accept('/') === null) {
    scanner.fail(scanner.peek().at, 'The path of the match is missing.');
  }
  const takeWildcard = () => {
    const { text: name, at } = scanner.expectNewName('The name of the wildcard');
    const isRecursive = scanner.accept('=') !== null;
    if (isRecursive) {
      scanner.expect('*');
      scanner.expect('*');
    }
    scanner.expect('}');
    const kind = isRecursive ? 'many' : 'one';
    if (kind === 'many' && segments.some((each) => each.kind === kind)) {
      scanner.fail(at, 'A match has one recursive wildcard at most.');
    }
    if (captures.includes(name)) {
      scanner.fail(at, `The wildcard "${name}" is in this path already.`);
    }
    captures.push(name);
    segments.push({ kind });
  };
  scanner.segments(openingPattern, (text) => segments.push({ kind: 'text', text }), takeWildcard);
  return segments;
}

const methodsByName: ReadonlyMap<string, readonly Method[]> = new Map<string, readonly Method[]>([
  ['read', ['get', 'list']],
  ['write', ['create', 'update', 'delete']],
  ['get', ['get']],
  ['list', ['list']],
  ['create', ['create']],
  ['update', ['update']],
  ['delete', ['delete']],
]);

const always: Evaluate = () => bool(true);

function parseAllow(scanner: Scanner, scope: Scope): CompiledAllow {
  const { at } = scanner.expect('allow');
  const words: string[] = [];
  const methods = new Set<Method>();
  do {
    const word = scanner.expectName('A method');
    const meant = methodsByName.get(word.text);
    if (meant === undefined) {
      return scanner.fail(word.at, `There is no method "${word.text}" to allow.`);
    }
    if (words.includes(word.text)) scanner.fail(word.at, `"${word.text}" is named already.`);
    words.push(word.text);
    for (const each of meant) methods.add(each);
  } while (scanner.accept(',') !== null);
  let condition = always;
  if (scanner.accept(':') !== null) {
    scanner.expect('if');
    condition = compileExpression(scanner, scope);
  }
  scanner.expect(';');
  return { line: { ...scanner.positionOf(at), words }, methods, condition };
}

/** Parses a function, which can call those that are declared before it, and adds it to its block. */
function parseFunction(scanner: Scanner, outer: Scope, block: Map<string, CompiledFunction>): void {
  scanner.expect('function');
  const { text: name, at } = scanner.expectNewName('The name of the function');
  if (outer.library.has(name)) {
    scanner.fail(at, `"${name}" is a function of the language already.`);
  }
  if (block.has(name)) scanner.fail(at, `The function "${name}" is declared here already.`);
  const locals = parseParameters(scanner);
  const arity = locals.length;
  const calls: CompiledFunction[] = [];
  const scope = { ...outer, locals, calls };
  const steps: Evaluate[] = [];
  scanner.expect('{');
  while (scanner.accept('let') !== null) {
    const variable = scanner.expectNewName('The name of the variable');
    if (locals.includes(variable.text)) {
      scanner.fail(variable.at, `"${variable.text}" is declared in this function already.`);
    }
    scanner.expect('=');
    steps.push(compileExpression(scanner, scope));
    scanner.expect(';');
    locals.push(variable.text);
  }
  if (steps.length > maxLets) {
    scanner.fail(at, `A function has at most ${maxLets} let statements.`);
  }
  scanner.expect('return');
  steps.push(compileExpression(scanner, scope));
  scanner.expect(';');
  scanner.expect('}');
  const height = 1 + Math.max(0, ...calls.map((each) => each.height));
  if (height > maxCallDepth) scanner.fail(at, `Calls go deeper than ${maxCallDepth} here.`);
  block.set(name, { arity, height, steps });
}

function parseParameters(scanner: Scanner): string[] {
  const { at } = scanner.expect('(');
  const parameters: string[] = [];
  scanner.items(')', () => {
    const name = scanner.expectNewName('The name of a parameter');
    if (parameters.includes(name.text)) {
      scanner.fail(name.at, `The parameter "${name.text}" is there already.`);
    }
    parameters.push(name.text);
  });
  if (parameters.length > maxParameters) {
    scanner.fail(at, `A function has at most ${maxParameters} parameters.`);
  }
  return parameters;
}
