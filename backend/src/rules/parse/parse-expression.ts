import { element, range } from '../members.ts';
import { BINARY_OPERATORS, negate } from '../operators.ts';
import {
  bool,
  double,
  expectBool,
  expectKind,
  isOfType,
  list,
  map,
  NULL,
  path,
  text,
  TYPES,
  type RuleValue,
} from '../rule-value.ts';
import { RESERVED, shown, type Scanner, type Token } from './scanner.ts';
import type { Expression } from './syntax.ts';

/**
 * An expression has at most 1,000 parts and 100 levels of nesting, so that neither compiling nor evaluating one can
 * exhaust the stack.
 */
const MAX_PARTS = 1000;
const MAX_NESTING = 100;

interface Parser extends Scanner {
  expression(): Expression;
  /** Counts a part of the expression. */
  part(expression: Expression): Expression;
}

export function parseExpression(scanner: Scanner): Expression {
  let parts = 0;
  let nesting = 0;
  const { fail }: Scanner = scanner;
  const parser: Parser = {
    ...scanner,
    part(expression) {
      parts += 1;
      if (parts > MAX_PARTS) fail(expression.at, `An expression has more than ${MAX_PARTS} parts.`);
      return expression;
    },
    expression() {
      nesting += 1;
      if (nesting > MAX_NESTING) {
        const sentence = `An expression is nested deeper than ${MAX_NESTING} levels.`;
        fail(scanner.peek().at, sentence);
      }
      const result = parseTernary(parser);
      nesting -= 1;
      return result;
    },
  };
  return parser.expression();
}

function parseTernary(parser: Parser): Expression {
  const condition = parseBinary(parser, 0);
  const mark = parser.accept('?');
  if (mark === null) return condition;
  const yes = parser.expression();
  parser.expect(':');
  const no = parser.expression();
  return parser.part({ kind: 'ternary', at: mark.at, condition, yes, no });
}

/** From the loosest to the tightest; `?:` is looser, and operators of one operand are tighter. */
const LEVELS = ['||', '&&', '== !=', 'in is', '< <= > >=', '+ -', '* / %'];
const PRECEDENCE: ReadonlyMap<string, number> = new Map(
  LEVELS.flatMap((signs, level) => signs.split(' ').map((sign) => [sign, level + 1] as const)),
);

/** An operand and the operators behind it that bind tighter than `above`. */
function parseBinary(parser: Parser, above: number): Expression {
  let left = parseUnary(parser);
  for (;;) {
    const { text: sign, at } = parser.peek();
    const precedence = parser.is(sign) ? (PRECEDENCE.get(sign) ?? 0) : 0;
    if (precedence <= above) return left;
    parser.take();
    const apply = BINARY_OPERATORS.get(sign);
    if (apply !== undefined) {
      const operands = [left, parseBinary(parser, precedence)];
      left = parser.part({ kind: 'operation', at, operands, apply });
    } else if (sign === 'is') {
      const type = parseType(parser);
      left = parser.part({
        kind: 'operation',
        at,
        operands: [left],
        apply: (value) => bool(isOfType(value, type)),
      });
    } else {
      const operator = sign === '&&' ? sign : '||';
      const operands = [left];
      do operands.push(parseBinary(parser, precedence));
      while (parser.accept(operator) !== null);
      left = parser.part({ kind: 'logical', at, operator, operands });
    }
  }
}

function parseType(parser: Parser): string {
  const token = parser.expectName('The name of a type');
  if (!TYPES.has(token.text)) parser.fail(token.at, `There is no type "${token.text}".`);
  return token.text;
}

const not = (value: RuleValue): RuleValue => bool(!expectBool(value));

function parseUnary(parser: Parser): Expression {
  const signs: Token[] = [];
  while (parser.is('!') || parser.is('-')) signs.push(parser.take());
  return signs.reduceRight<Expression>(
    (operand, { at, text: sign }) =>
      parser.part({
        kind: 'operation',
        at,
        operands: [operand],
        apply: sign === '!' ? not : negate,
      }),
    parsePostfix(parser),
  );
}

function parsePostfix(parser: Parser): Expression {
  let object = parsePrimary(parser);
  for (;;) {
    if (parser.accept('.') !== null) {
      const { at, text: name } = parser.expectName('The name of a member');
      object = parser.part({ kind: 'member', at, object, name });
    } else if (parser.is('[')) object = parseIndex(parser, object);
    else if (parser.is('(')) object = parseCall(parser, object);
    else return object;
  }
}

function parseIndex(parser: Parser, object: Expression): Expression {
  const { at } = parser.expect('[');
  const operands = [object, parser.expression()];
  const isRange = parser.accept(':') !== null;
  if (isRange) operands.push(parser.expression());
  parser.expect(']');
  return parser.part({ kind: 'operation', at, operands, apply: isRange ? range : element });
}

function parseCall(parser: Parser, callee: Expression): Expression {
  const { at } = parser.expect('(');
  if (callee.kind !== 'name' && callee.kind !== 'member') {
    return parser.fail(at, 'Only a function or a method can be called.');
  }
  const args: Expression[] = [];
  if (!parser.is(')')) {
    do args.push(parser.expression());
    while (parser.accept(',') !== null);
  }
  parser.expect(')');
  return parser.part({ kind: 'call', at: callee.at, callee, args });
}

const VARIABLES = new Set(['request', 'resource']);

function parsePrimary(parser: Parser): Expression {
  const token = parser.peek();
  const { at, text: name } = token;
  const value = literalValue(parser, token);
  if (value !== null) {
    parser.take();
    return parser.part({ kind: 'literal', at, value });
  }
  if (token.kind === 'name' && (!RESERVED.has(name) || VARIABLES.has(name))) {
    parser.take();
    return parser.part({ kind: 'name', at, name });
  }
  if (parser.is('[')) return parseList(parser);
  if (parser.is('{')) return parseMap(parser);
  if (parser.is('/')) return parsePath(parser);
  if (parser.accept('(') === null) {
    return parser.fail(at, `An expression is missing before ${shown(token)}.`);
  }
  const inner = parser.expression();
  parser.expect(')');
  return inner;
}

const NAMED: ReadonlyMap<string, RuleValue> = new Map([
  ['null', NULL],
  ['true', bool(true)],
  ['false', bool(false)],
]);

function literalValue(parser: Parser, { kind, text: written, at }: Token): RuleValue | null {
  switch (kind) {
    case 'string':
      return text(written);
    case 'bytes':
      return { kind: 'bytes', base64: written };
    case 'name':
      return NAMED.get(written) ?? null;
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

/** Up to the closing mark; a comma may stand before it. */
function parseItems(parser: Parser, closing: string, parseItem: () => void): void {
  while (!parser.is(closing)) {
    parseItem();
    if (parser.accept(',') === null) break;
  }
  parser.expect(closing);
}

function parseList(parser: Parser): Expression {
  const { at } = parser.expect('[');
  const operands: Expression[] = [];
  parseItems(parser, ']', () => operands.push(parser.expression()));
  return parser.part({ kind: 'operation', at, operands, apply: (...values) => list(values) });
}

function parseMap(parser: Parser): Expression {
  const { at } = parser.expect('{');
  const entries = new Map<string, Expression>();
  parseItems(parser, '}', () => {
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
  const operands = [...entries.values()];
  const apply = (...values: RuleValue[]) =>
    map(new Map(values.map((value, index) => [keys[index] ?? '', value])));
  return parser.part({ kind: 'operation', at, operands, apply });
}

const SEGMENT = /[\w.~%@+-]+|\([\w-]+\)|\{\w+\}/y;
const OPENING = /\$\(/y;
const SLASH = /\//y;

/** `/databases/$(database)/documents/pets/rex`: its segments follow one another without blanks. */
function parsePath(parser: Parser): Expression {
  const { at } = parser.expect('/');
  const operands: Expression[] = [];
  let written: string[] = [];
  const flush = () => {
    operands.push({ kind: 'literal', at, value: path(written) });
    written = [];
  };
  do {
    const segment = parser.raw(SEGMENT);
    if (segment !== null) written.push(segment);
    else if (parser.raw(OPENING) !== null) {
      flush();
      operands.push(parser.expression());
      parser.expect(')');
    } else parser.fail(parser.here(), 'A segment of a path is missing.');
  } while (parser.raw(SLASH) !== null);
  flush();
  return parser.part({ kind: 'operation', at, operands, apply: joinSegments });
}

/** A path in a path is its segments; a text is one, whatever it holds. */
function joinSegments(...values: RuleValue[]): RuleValue {
  const segments: string[] = [];
  for (const each of values) {
    if (each.kind === 'path') for (const segment of each.segments) segments.push(segment);
    else segments.push(expectKind(each, 'string').value);
  }
  return path(segments);
}
