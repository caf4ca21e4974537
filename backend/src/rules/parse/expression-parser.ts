import type { Scanner } from './scanner.ts';
import type { Expression } from './syntax.ts';

/** What the parsers of the parts of an expression share. */
export interface ExpressionParser {
  readonly scanner: Scanner;
  expression(): Expression;
  /** Counts a part of the expression. */
  part<E extends Expression>(expression: E): E;
}
