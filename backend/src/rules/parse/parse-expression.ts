import type { ExpressionParser } from './expression-parser.ts';
import { bool, double, NULL, text, TYPES } from '../rule-value.ts';
import { RESERVED } from './parse-name.ts';
import type { Position } from '../rules-error.ts';
import { shown, type Scanner, type Token } from './scanner.ts';
import { parseList, parseMap, parsePath } from './parse-literals.ts';
import type { BinaryOperator, Expression, LogicalExpression } from './syntax.ts';

/**
 * - Precedence, from the loosest: `?:`, `||`, `&&`, `== !=`, `in is`, `< <= > >=`, `+ -`, `* / %`, `! -`, postfix.
 * - An expression has at most 1,000 parts and 100 levels of nesting, so that neither compiling nor evaluating one can
 *   exhaust the stack.
 */
const MAX_PARTS = 1000;
const MAX_NESTING = 100;

export function parseExpression(scanner: Scanner): Expression {
  let parts = 0;
  let nesting = 0;
  const parser: ExpressionParser = {
    scanner,
    part(expression) {
      parts += 1;
      if (parts > MAX_PARTS) {
        scanner.fail(expression.at, `An expression has more than ${MAX_PARTS} parts.`);
      }
      return expression;
    },
    expression() {
      nesting += 1;
      if (nesting > MAX_NESTING) {
        scanner.fail(
          scanner.peek().at,
          `An expression is nested deeper than ${MAX_NESTING} levels.`,
        );
      }
      const result = parseTernary(parser);
      nesting -= 1;
      return result;
    },
  };
  return parser.expression();
}

function parseTernary(parser: ExpressionParser): Expression {
  const { scanner } = parser;
  const condition = parseLogical(parser, '||');
  const mark = scanner.accept('?');
  if (mark === null) return condition;
  const yes = parser.expression();
  scanner.expect(':');
  const no = parser.expression();
  return parser.part({ kind: 'ternary', at: mark.at, condition, yes, no });
}

function parseLogical(parser: ExpressionParser, operator: '&&' | '||'): Expression {
  const operand = () =>
    operator === '||' ? parseLogical(parser, '&&') : parseBinary(parser, LEVELS.length - 1);
  const first = operand();
  const mark = parser.scanner.accept(operator);
  if (mark === null) return first;
  const operands = [first, operand()];
  while (parser.scanner.accept(operator) !== null) operands.push(operand());
  const node: LogicalExpression = { kind: 'logical', at: mark.at, operator, operands };
  return parser.part(node);
}

/** From the tightest to the loosest. */
const LEVELS: readonly (readonly (BinaryOperator | 'is')[])[] = [
  ['*', '/', '%'],
  ['+', '-'],
  ['<', '<=', '>', '>='],
  ['in', 'is'],
  ['==', '!='],
];

function parseBinary(parser: ExpressionParser, level: number): Expression {
  const operators = LEVELS[level];
  if (operators === undefined) return parseUnary(parser);
  const { scanner } = parser;
  let left = parseBinary(parser, level - 1);
  for (;;) {
    const operator = operators.find((each) => scanner.is(each));
    if (operator === undefined) return left;
    const { at } = scanner.take();
    if (operator === 'is') {
      left = parser.part({ kind: 'is', at, operand: left, type: parseType(scanner) });
    } else {
      const right = parseBinary(parser, level - 1);
      left = parser.part({ kind: 'binary', at, operator, left, right });
    }
  }
}

function parseType(scanner: Scanner): string {
  const token = scanner.expectName('The name of a type');
  if (!TYPES.has(token.text)) scanner.fail(token.at, `There is no type "${token.text}".`);
  return token.text;
}

function parseUnary(parser: ExpressionParser): Expression {
  const { scanner } = parser;
  const operators: { at: Position; operator: '!' | '-' }[] = [];
  while (scanner.is('!') || scanner.is('-')) {
    const token = scanner.take();
    operators.push({ at: token.at, operator: token.text === '!' ? '!' : '-' });
  }
  return operators.reduceRight<Expression>(
    (operand, { at, operator }) => parser.part({ kind: 'unary', at, operator, operand }),
    parsePostfix(parser),
  );
}

function parsePostfix(parser: ExpressionParser): Expression {
  const { scanner } = parser;
  let object = parsePrimary(parser);
  for (;;) {
    if (scanner.accept('.') !== null) {
      const { at, text: name } = scanner.expectName('The name of a member');
      object = parser.part({ kind: 'member', at, object, name });
    } else if (scanner.is('[')) object = parseIndex(parser, object);
    else if (scanner.is('(')) object = parseCall(parser, object);
    else return object;
  }
}

function parseIndex(parser: ExpressionParser, object: Expression): Expression {
  const { scanner } = parser;
  const { at } = scanner.expect('[');
  const from = parser.expression();
  const isRange = scanner.accept(':') !== null;
  const to = isRange ? parser.expression() : null;
  scanner.expect(']');
  return to === null
    ? parser.part({ kind: 'index', at, object, index: from })
    : parser.part({ kind: 'range', at, object, from, to });
}

function parseCall(parser: ExpressionParser, callee: Expression): Expression {
  const { scanner } = parser;
  const { at } = scanner.expect('(');
  if (callee.kind !== 'name' && callee.kind !== 'member') {
    return scanner.fail(at, 'Only a function or a method can be called.');
  }
  const args: Expression[] = [];
  if (!scanner.is(')')) {
    do args.push(parser.expression());
    while (scanner.accept(',') !== null);
  }
  scanner.expect(')');
  return parser.part({ kind: 'call', at: callee.at, callee, args });
}

const VARIABLES = new Set(['request', 'resource']);

function parsePrimary(parser: ExpressionParser): Expression {
  const { scanner } = parser;
  const token = scanner.peek();
  const { at } = token;
  switch (token.kind) {
    case 'integer':
    case 'float':
      return parser.part({ kind: 'literal', at, value: parseNumber(scanner, scanner.take()) });
    case 'string':
      return parser.part({ kind: 'literal', at, value: text(scanner.take().text) });
    case 'bytes':
      return parser.part({
        kind: 'literal',
        at,
        value: { kind: 'bytes', base64: scanner.take().text },
      });
    case 'name':
      return parseWord(parser);
    default:
      break;
  }
  if (scanner.is('(')) {
    scanner.take();
    const inner = parser.expression();
    scanner.expect(')');
    return inner;
  }
  if (scanner.is('[')) return parser.part(parseList(parser));
  if (scanner.is('{')) return parser.part(parseMap(parser));
  if (scanner.is('/')) return parser.part(parsePath(parser));
  return scanner.fail(at, `An expression is missing before ${shown(token)}.`);
}

function parseWord(parser: ExpressionParser): Expression {
  const { scanner } = parser;
  const { text: name, at } = scanner.take();
  if (name === 'null') return parser.part({ kind: 'literal', at, value: NULL });
  if (name === 'true' || name === 'false') {
    return parser.part({ kind: 'literal', at, value: bool(name === 'true') });
  }
  if (RESERVED.has(name) && !VARIABLES.has(name)) {
    return scanner.fail(at, `An expression is missing before "${name}".`);
  }
  return parser.part({ kind: 'name', at, name });
}

function parseNumber(scanner: Scanner, token: Token) {
  if (token.kind === 'float') return double(Number(token.text));
  const value = BigInt(token.text);
  if (BigInt.asIntN(64, value) !== value) {
    return scanner.fail(token.at, `${token.text} is more than an integer can hold.`);
  }
  return { kind: 'integer', value } as const;
}
