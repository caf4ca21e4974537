import { LIBRARIES, type Service } from '../library/services.ts';
import { parseRules } from '../parse/parse-rules.ts';
import type { FunctionDeclaration, MatchBlock, PatternSegment } from '../parse/syntax.ts';
import { failIn, type Fail } from '../rules-error.ts';
import { createRuleset, type CompiledMatch, type Ruleset } from '../ruleset.ts';
import {
  compileExpression,
  type CompiledFunction,
  type FunctionCall,
  type Scope,
} from './compile-expression.ts';

export interface RulesSource {
  /** Named in errors. */
  readonly file: string;
  readonly service: Service;
}

/** Throws a RulesError with file, line and column for whatever it does not support to the letter. */
export function compileRules(source: string, { file, service }: RulesSource): Ruleset {
  const rules = parseRules(file, source);
  const fail: Fail = failIn(file);
  if (rules.service !== service) {
    const sentence = `This file must be of the service ${service}, not ${rules.service}.`;
    fail(rules.serviceAt, sentence);
  }
  const matches: CompiledMatch[] = [];
  const functions: CompiledFunction[] = [];
  const scope: Scope = {
    library: LIBRARIES[service],
    captures: [],
    locals: [],
    functions: new Map(),
    calls: [],
    fail,
  };
  compileMatch({ ...rules, pattern: [] }, { scope, pattern: [], matches, functions });
  checkCalls(functions, fail);
  return createRuleset(matches);
}

interface Outer {
  readonly scope: Scope;
  readonly pattern: readonly PatternSegment[];
  /** Collect what is compiled, in the order of the file. */
  readonly matches: CompiledMatch[];
  readonly functions: CompiledFunction[];
}

function compileMatch(match: MatchBlock, outer: Outer): void {
  const { fail, library }: Scope = outer.scope;
  const pattern = [...outer.pattern, ...match.pattern];
  const functions = new Map(outer.scope.functions);
  const scope = { ...outer.scope, captures: captureNames(pattern, fail), functions };
  const declared = match.functions.map((declaration) => {
    const { name, at, parameters } = declaration;
    if (library.functions.has(name)) fail(at, `"${name}" is a function of the language already.`);
    const compiled = { name, at, arity: parameters.length, calls: [], steps: [] };
    functions.set(name, compiled);
    return { declaration, compiled };
  });
  for (const { declaration, compiled } of declared) {
    compileFunction(declaration, compiled, scope);
    outer.functions.push(compiled);
  }
  const allows = match.allows.map(({ at: { line, column }, words, methods, condition }) => ({
    line: { line, column, words },
    methods,
    condition: compileExpression(condition, scope),
  }));
  outer.matches.push({ pattern, allows });
  for (const each of match.matches) compileMatch(each, { ...outer, scope, pattern });
}

function captureNames(pattern: readonly PatternSegment[], fail: Fail): readonly string[] {
  const names: string[] = [];
  for (const segment of pattern) {
    if (segment.kind === 'text') continue;
    const { name, at } = segment;
    if (names.includes(name)) fail(at, `The wildcard "${name}" is in this path already.`);
    names.push(name);
  }
  return names;
}

function compileFunction(
  { parameters, lets, result }: FunctionDeclaration,
  { steps, calls }: CompiledFunction,
  outer: Scope,
): void {
  const locals = [...parameters];
  const scope = { ...outer, locals, calls };
  for (const { name, value } of lets) {
    steps.push(compileExpression(value, scope));
    locals.push(name);
  }
  steps.push(compileExpression(result, scope));
}

const MAX_CALL_DEPTH = 20;
const TOO_DEEP = `Calls go deeper than ${MAX_CALL_DEPTH} here.`;

/** Refuses a function that reaches itself, and a chain of more than 20 calls. */
function checkCalls(functions: readonly CompiledFunction[], fail: Fail): void {
  const heights = new Map<CompiledFunction, number | 'visiting'>();
  const heightOf = ({ callee, at }: FunctionCall, depth: number): number => {
    const found = heights.get(callee);
    if (found === 'visiting') {
      return fail(at, `"${callee.name}" calls itself, which is not supported.`);
    }
    if (found !== undefined) return found;
    if (depth > MAX_CALL_DEPTH) fail(at, TOO_DEEP);
    heights.set(callee, 'visiting');
    const height = 1 + Math.max(0, ...callee.calls.map((each) => heightOf(each, depth + 1)));
    if (height > MAX_CALL_DEPTH) fail(callee.at, TOO_DEEP);
    heights.set(callee, height);
    return height;
  };
  for (const each of functions) heightOf({ callee: each, at: each.at }, 1);
}
