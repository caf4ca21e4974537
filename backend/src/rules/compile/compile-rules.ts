import { compileExpression } from './compile-expression.ts';
import { createFunctionTable, type FunctionTable } from './compile-functions.ts';
import { LIBRARIES, type Library, type Service } from '../builtins/builtins.ts';
import { parseRules } from '../parse/parse-rules.ts';
import { bool } from '../rule-value.ts';
import { RulesError, type Position } from '../rules-error.ts';
import { createRuleset, type CompiledMatch, type Ruleset } from '../ruleset.ts';
import type { Evaluate, Scope } from '../scope.ts';
import type { Block, MatchBlock, PatternSegment } from '../parse/syntax.ts';

export interface RulesSource {
  /** Named in errors. */
  readonly file: string;
  readonly service: Service;
}

/** Throws a RulesError with file, line and column for whatever it does not support to the letter. */
export function compileRules(source: string, { file, service }: RulesSource): Ruleset {
  const rules = parseRules(file, source);
  const fail = (at: Position, sentence: string): never => {
    throw new RulesError(file, at, sentence);
  };
  if (rules.service !== service) {
    fail(rules.serviceAt, `This file must be of the service ${service}, not ${rules.service}.`);
  }
  const matches: CompiledMatch[] = [];
  compileBlock(rules, {
    matches,
    library: LIBRARIES[service],
    fail,
    pattern: [],
    parent: null,
    nesting: { depth: 0 },
  });
  return createRuleset(matches);
}

interface BlockContext {
  readonly matches: CompiledMatch[];
  readonly library: Library;
  readonly fail: Scope['fail'];
  /** The path of the matches around. */
  readonly pattern: readonly PatternSegment[];
  readonly parent: FunctionTable | null;
  readonly nesting: { depth: number };
}

function compileBlock(block: Block, context: BlockContext): FunctionTable {
  const { library, fail, pattern, parent, nesting } = context;
  const captures = capturesOf(pattern, fail);
  const declarations = block.functions;
  const table = createFunctionTable({ declarations, captures, parent, library, fail, nesting });
  table.compileAll();
  for (const match of block.matches) compileMatch(match, { ...context, parent: table });
  return table;
}

function compileMatch(match: MatchBlock, context: BlockContext): void {
  const { library, fail } = context;
  const pattern = [...context.pattern, ...match.pattern];
  const captures = capturesOf(pattern, fail);
  const index = context.matches.length;
  const table = compileBlock(match, { ...context, pattern });
  const scope: Scope = {
    library,
    captures,
    fail,
    locals: new Map(),
    resolve: (name, at) => table.resolve(name, at),
    isFunction: (name) => table.isFunction(name),
    onCall: () => undefined,
  };
  const allows = match.allows.map(({ at, words, methods, condition }) => ({
    line: { ...at, words },
    methods,
    condition: condition === null ? always : compileExpression(condition, scope),
  }));
  // In the order of the file, although what is nested is compiled first.
  context.matches.splice(index, 0, { pattern, allows });
}

const always: Evaluate = () => bool(true);

function capturesOf(
  pattern: readonly PatternSegment[],
  fail: Scope['fail'],
): ReadonlyMap<string, number> {
  const captures = new Map<string, number>();
  for (const segment of pattern) {
    if (segment.kind === 'text') continue;
    if (captures.has(segment.name)) {
      fail(segment.at, `The wildcard "${segment.name}" is in this path already.`);
    }
    captures.set(segment.name, captures.size);
  }
  return captures;
}
