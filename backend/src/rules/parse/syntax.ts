import type { Position } from '../rules-error.ts';
import type { RuleValue } from '../rule-value.ts';

/** What the parser makes of a rules file; no name is resolved yet. */
interface Node {
  readonly at: Position;
}

export type Expression =
  | (Node & { readonly kind: 'literal'; readonly value: RuleValue })
  | NameExpression
  | MemberExpression
  | CallExpression
  | LogicalExpression
  | (Node & {
      readonly kind: 'ternary';
      readonly condition: Expression;
      readonly yes: Expression;
      readonly no: Expression;
    })
  | Operation;

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

/** All of its operands are evaluated, then it is applied to their values. */
export type Operation = Node & {
  readonly kind: 'operation';
  readonly operands: readonly Expression[];
  readonly apply: (...values: RuleValue[]) => RuleValue;
};

export interface LetStatement {
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
  readonly condition: Expression;
}

export type PatternSegment =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'one' | 'many'; readonly name: string; readonly at: Position };

export interface Block {
  readonly functions: readonly FunctionDeclaration[];
  readonly matches: readonly MatchBlock[];
  readonly allows: readonly AllowStatement[];
}

export interface MatchBlock extends Block {
  readonly pattern: readonly PatternSegment[];
}

export interface RulesFile extends Block {
  readonly service: string;
  readonly serviceAt: Position;
}
