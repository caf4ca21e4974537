import { EvaluationError } from '../evaluation-error.ts';
import { element } from '../members.ts';
import { binaryOperators, negate } from '../operators.ts';
import {
  bool,
  double,
  expectBool,
  expectKind,
  isOfType,
  list,
  map,
  nullValue,
  path,
  text,
  types,
  type RuleValue,
} from '../rule-value.ts';
import { parseMember, parseName } from './names.ts';
import { createParser, type Parsed, type Parser } from './parser.ts';
import { reservedWords, shown, type Scanner, type Token } from './scanner.ts';
import type { Evaluate, Scope } from './scope.ts';

export const compileExpression = (scanner: Scanner, scope: Scope): Evaluate =>
  createParser(scanner, scope, parseTernary).expression().evaluate;

function parseTernary(parser: Parser): Parsed {
  const condition = parseBinary(parser, 0);
  const mark = parser.accept('?');
  if (mark === null) return condition;
  const yes = parser.expression();
  parser.expect(':');
  const no = parser.expression();
  return parser.part(mark.at, (frame) =>
    expectBool(condition.evaluate(frame)) ? yes.evaluate(frame) : no.evaluate(frame),
  );
}

/** The binary operators by increasing precedence; `?:` has a lower one, and unary operators have a higher one. */
const levels = ['||', '&&', '== !=', 'in is', '< <= > >=', '+ -', '* / %'];
const precedenceByOperator: ReadonlyMap<string, number> = new Map(
  levels.flatMap((signs, level) => signs.split(' ').map((sign) => [sign, level + 1] as const)),
);

/** Parses an operand and the following operators of higher precedence than `above`. */
function parseBinary(parser: Parser, above: number): Parsed {
  let left = parseUnary(parser);
  for (;;) {
    const { text: sign, at } = parser.peek();
    const precedence = parser.is(sign) ? (precedenceByOperator.get(sign) ?? 0) : 0;
    if (precedence <= above) return left;
    parser.take();
    const apply = binaryOperators.get(sign);
    if (apply !== undefined) {
      left = parser.operation(at, [left, parseBinary(parser, precedence)], apply);
    } else if (sign === 'is') {
      const type = parser.expectName('The name of a type');
      if (!types.has(type.text)) parser.fail(type.at, `There is no type "${type.text}".`);
      left = parser.operation(at, [left], (value) => bool(isOfType(value, type.text)));
    } else {
      // A whole chain is one part, so that a long chain is not nested.
      const operands = [left];
      do operands.push(parseBinary(parser, precedence));
      while (parser.accept(sign) !== null);
      left = parser.part(at, logical(operands, sign === '||'));
    }
  }
}

/** Evaluates `&&` or `||`: a decisive operand overrides errors of the others on either side. */
function logical(operands: readonly Parsed[], decisive: boolean): Evaluate {
  const evaluates = operands.map(({ evaluate }) => evaluate);
  return (frame) => {
    let failure: EvaluationError | null = null;
    for (const evaluate of evaluates) {
      try {
        if (expectBool(evaluate(frame)) === decisive) return bool(decisive);
      } catch (error) {
        if (!(error instanceof EvaluationError)) throw error;
        failure ??= error;
      }
    }
    if (failure !== null) throw failure;
    return bool(!decisive);
  };
}

const not = (value: RuleValue): RuleValue => bool(!expectBool(value));

function parseUnary(parser: Parser): Parsed {
  const signs: Token[] = [];
  while (parser.is('!') || parser.is('-')) signs.push(parser.take());
  return signs.reduceRight<Parsed>(
    (operand, { at, text: sign }) => parser.operation(at, [operand], sign === '!' ? not : negate),
    parsePostfix(parser),
  );
}

function parsePostfix(parser: Parser): Parsed {
  let object = parsePrimary(parser);
  for (;;) {
    if (parser.accept('.') !== null) object = parseMember(parser, object);
    else if (parser.is('[')) object = parseIndex(parser, object);
    else if (parser.is('(')) {
      return parser.fail(parser.peek().at, 'Only a function or a method can be called.');
    } else return object;
  }
}

function parseIndex(parser: Parser, object: Parsed): Parsed {
  const { at } = parser.expect('[');
  const index = parser.expression();
  parser.expect(']');
  return parser.operation(at, [object, index], element);
}

const variables = new Set(['request', 'resource']);

function parsePrimary(parser: Parser): Parsed {
  const token = parser.peek();
  const value = literalValue(parser, token);
  if (value !== null) return parser.literal(parser.take().at, value);
  if (token.kind === 'name' && (!reservedWords.has(token.text) || variables.has(token.text))) {
    return parseName(parser);
  }
  if (parser.is('[')) return parseList(parser);
  if (parser.is('{')) return parseMap(parser);
  if (parser.is('/')) return parsePath(parser);
  if (parser.accept('(') === null) {
    return parser.fail(token.at, `An expression is missing before ${shown(token)}.`);
  }
  const inner = parser.expression();
  parser.expect(')');
  return inner;
}

const named: ReadonlyMap<string, RuleValue> = new Map([
  ['null', nullValue],
  ['true', bool(true)],
  ['false', bool(false)],
]);

function literalValue(parser: Parser, { kind, text: written, at }: Token): RuleValue | null {
  switch (kind) {
    case 'string':
      return text(written);
    case 'name':
      return named.get(written) ?? null;
    case 'number': {
      if (!/^\d+$/.test(written)) return double(Number(written));
      const value = BigInt(written);
      return BigInt.asIntN(64, value) === value
        ? { kind: 'integer', value }
        : parser.fail(at, `${written} is more than an integer can hold.`);
    }
    default:
      return null;
  }
}

function parseList(parser: Parser): Parsed {
  const { at } = parser.expect('[');
  const items: Parsed[] = [];
  parser.items(']', () => items.push(parser.expression()));
  return parser.operation(at, items, (...values) => list(values));
}

function parseMap(parser: Parser): Parsed {
  const { at } = parser.expect('{');
  const entries = new Map<string, Parsed>();
  parser.items('}', () => {
    const token = parser.take();
    const { text: key } = token;
    if (token.kind !== 'string') {
      parser.fail(token.at, `A key of a map must be a string, not ${shown(token)}.`);
    }
    if (entries.has(key)) parser.fail(token.at, `The key "${key}" is in the map already.`);
    parser.expect(':');
    entries.set(key, parser.expression());
  });
  const keys = [...entries.keys()];
  return parser.operation(at, [...entries.values()], (...values) =>
    map(new Map(values.map((value, index) => [keys[index] ?? '', value]))),
  );
}

const openingPattern = /\$\(/y;

/** Parses a path such as `/databases/$(database)/documents/pets/rex`, which has no blanks between segments. */
function parsePath(parser: Parser): Parsed {
  const { at } = parser.expect('/');
  const operands: Parsed[] = [];
  let written: string[] = [];
  const flush = () => {
    operands.push(parser.literal(at, path(written)));
    written = [];
  };
  const takeOperand = () => {
    flush();
    operands.push(parser.expression());
    parser.expect(')');
  };
  parser.segments(openingPattern, (segment) => written.push(segment), takeOperand);
  flush();
  return parser.operation(at, operands, joinSegments);
}

/** Joins segments: a path within a path contributes its segments; a text is one segment, even with slashes. */
function joinSegments(...values: RuleValue[]): RuleValue {
  const segments: string[] = [];
  for (const each of values) {
    if (each.kind === 'path') for (const segment of each.segments) segments.push(segment);
    else segments.push(expectKind(each, 'string').value);
  }
  return path(segments);
}
