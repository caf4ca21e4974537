import type { RuleValue } from '../rule-value.ts';
import type { Scanner } from './scanner.ts';
import type { Evaluate, Frame, Scope } from './scope.ts';

/** A parsed expression. */
export interface Parsed {
  readonly at: number;
  readonly evaluate: Evaluate;
  readonly value?: RuleValue;
}

type Apply = (...values: RuleValue[]) => RuleValue;
type ApplyAll = (values: RuleValue[], frame: Frame) => RuleValue;

/**
 * - It compiles to closures while it parses, without a syntax tree; only calls of functions of the file are linked at the
 *   end.
 * - An expression has at most 1,000 parts and 100 levels of nesting, so that neither parsing nor evaluating it can
 *   exhaust the stack.
 */
export interface Parser extends Scanner {
  readonly scope: Scope;
  expression(): Parsed;
  literal(at: number, value: RuleValue): Parsed;
  /** Creates a part that is counted when it is evaluated. */
  part(at: number, evaluate: Evaluate): Parsed;
  /** Creates a part that evaluates its operands and calls a function with the list of their values. */
  call(at: number, operands: readonly Parsed[], apply: ApplyAll): Parsed;
  /** Creates a part that evaluates its operands and applies a function to their values. */
  operation(at: number, operands: readonly Parsed[], apply: Apply): Parsed;
}

const maxParts = 1000;
const maxNesting = 100;

export function createParser(
  scanner: Scanner,
  scope: Scope,
  parseExpression: (parser: Parser) => Parsed,
): Parser {
  let parts = 0;
  let nesting = 0;
  const countPart = (at: number) => {
    parts += 1;
    if (parts > maxParts) scanner.fail(at, `An expression has more than ${maxParts} parts.`);
  };
  const part = (at: number, evaluate: Evaluate): Parsed => {
    countPart(at);
    return {
      at,
      evaluate(frame) {
        frame.run.step();
        return evaluate(frame);
      },
    };
  };
  const parser: Parser = {
    ...scanner,
    scope,
    part,
    expression() {
      nesting += 1;
      if (nesting > maxNesting) {
        const sentence = `An expression is nested deeper than ${maxNesting} levels.`;
        scanner.fail(scanner.peek().at, sentence);
      }
      const result = parseExpression(parser);
      nesting -= 1;
      return result;
    },
    literal(at, value) {
      countPart(at);
      return { at, evaluate: () => value, value };
    },
    call(at, operands, apply) {
      const evaluates = operands.map(({ evaluate }) => evaluate);
      return part(at, (frame) => {
        const values = evaluates.map((each) => each(frame));
        return apply(values, frame);
      });
    },
    operation(at, operands, apply) {
      return parser.call(at, operands, (values) => apply(...values));
    },
  };
  return parser;
}
