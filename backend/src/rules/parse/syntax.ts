import type { Position } from '../rules-error.ts';
import type { RuleValue } from '../rule-value.ts';

/** What the parser makes of a rules file; nothing is resolved yet. */
export type BinaryOperator =
  '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | '+' | '-' | '*' | '/' | '%';

interface Node {
  readonly at: Position;
}

export type Expression =
  | (Node & { readonly kind: 'literal'; readonly value: RuleValue })
  | NameExpression
  | MemberExpression
  | (Node & { readonly kind: 'index'; readonly object: Expression; readonly index: Expression })
  | (Node & {
      readonly kind: 'range';
      readonly object: Expression;
      readonly from: Expression;
      readonly to: Expression;
    })
  | CallExpression
  | (Node & { readonly kind: 'unary'; readonly operator: '!' | '-'; readonly operand: Expression })
  | (Node & {
      readonly kind: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    })
  | LogicalExpression
  | (Node & { readonly kind: 'is'; readonly operand: Expression; readonly type: string })
  | (Node & {
      readonly kind: 'ternary';
      readonly condition: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    })
  | (Node & { readonly kind: 'list'; readonly items: readonly Expression[] })
  | (Node & {
      readonly kind: 'map';
      readonly entries: readonly { readonly key: string; readonly value: Expression }[];
    })
  | PathExpression;

export type NameExpression = Node & { readonly kind: 'name'; readonly name: string };

export type MemberExpression = Node & {
  readonly kind: 'member';
  readonly object: Expression;
  readonly name: string;
};

export type CallExpression = Node & {
  readonly kind: 'call';
  readonly callee: NameExpression | MemberExpression;
  readonly args: readonly Expression[];
};

/** A whole chain of one operator, so that a long one is not deep. */
export type LogicalExpression = Node & {
  readonly kind: 'logical';
  readonly operator: '&&' | '||';
  readonly operands: readonly Expression[];
};

/** A segment is a text, an expression in `$( )`, or a name in braces for `bind`. */
export type PathExpression = Node & {
  readonly kind: 'path';
  readonly segments: readonly (string | Expression)[];
};

export interface LetStatement extends Node {
  readonly name: string;
  readonly value: Expression;
}

export interface FunctionDeclaration extends Node {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly lets: readonly LetStatement[];
  readonly result: Expression;
}

export type Method = 'get' | 'list' | 'create' | 'update' | 'delete';

export interface AllowStatement extends Node {
  /** As written: `read` is not yet `get` and `list`. */
  readonly words: readonly string[];
  readonly methods: ReadonlySet<Method>;
  /** Null: without a condition. */
  readonly condition: Expression | null;
}

export type PatternSegment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'one'; readonly name: string; readonly at: Position }
  | { readonly kind: 'many'; readonly name: string; readonly at: Position };

export interface Block {
  readonly functions: readonly FunctionDeclaration[];
  readonly matches: readonly MatchBlock[];
}

export interface MatchBlock extends Block, Node {
  readonly pattern: readonly PatternSegment[];
  readonly allows: readonly AllowStatement[];
}

export interface RulesFile extends Block {
  readonly service: string;
  readonly serviceAt: Position;
}
