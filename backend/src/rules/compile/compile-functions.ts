import { compileExpression } from './compile-expression.ts';
import type { Library } from '../builtins/builtins.ts';
import type { RuleValue } from '../rule-value.ts';
import type { Position } from '../rules-error.ts';
import type { CompiledFunction, Evaluate, Scope } from '../scope.ts';
import type { FunctionDeclaration } from '../parse/syntax.ts';

/**
 * - The functions of one block; those of the blocks around it can be called too, in any order of declaration.
 * - A function that reaches itself is refused, and so is a chain of more than 20 calls.
 */
export interface FunctionTable {
  resolve(name: string, at: Position): CompiledFunction | null;
  isFunction(name: string): boolean;
  compileAll(): void;
}

export interface FunctionTableDeps {
  readonly declarations: readonly FunctionDeclaration[];
  readonly captures: ReadonlyMap<string, number>;
  readonly parent: FunctionTable | null;
  readonly library: Library;
  readonly fail: Scope['fail'];
  /** Shared by all tables of a file: how many functions are being compiled inside one another. */
  readonly nesting: { depth: number };
}

const MAX_CALL_DEPTH = 20;
const TOO_DEEP = `Calls go deeper than ${MAX_CALL_DEPTH} here.`;

export function createFunctionTable(deps: FunctionTableDeps): FunctionTable {
  const { declarations, parent, library, fail, nesting } = deps;
  const byName = new Map(declarations.map((each) => [each.name, each]));
  const compiled = new Map<string, CompiledFunction | 'compiling'>();

  for (const { name, at } of declarations) {
    if (library.functions.has(name)) fail(at, `"${name}" is a function of the language already.`);
  }

  const resolve = (name: string, at: Position): CompiledFunction | null => {
    const declaration = byName.get(name);
    if (declaration === undefined) return parent?.resolve(name, at) ?? null;
    const found = compiled.get(name);
    if (found === 'compiling') return fail(at, `"${name}" calls itself, which is not supported.`);
    if (found !== undefined) return found;
    compiled.set(name, 'compiling');
    nesting.depth += 1;
    if (nesting.depth > MAX_CALL_DEPTH) fail(at, TOO_DEEP);
    const result = compileFunction(declaration, { ...deps, resolve, isFunction });
    nesting.depth -= 1;
    compiled.set(name, result);
    return result;
  };
  const isFunction = (name: string): boolean =>
    byName.has(name) || parent?.isFunction(name) === true;

  return {
    resolve,
    isFunction,
    compileAll() {
      for (const { name, at } of declarations) resolve(name, at);
    },
  };
}

type FunctionContext = Pick<Scope, 'library' | 'captures' | 'fail' | 'resolve' | 'isFunction'>;

function compileFunction(
  { at, parameters, lets, result }: FunctionDeclaration,
  { library, captures, fail, resolve, isFunction }: FunctionContext,
): CompiledFunction {
  let height = 1;
  const onCall = (calleeHeight: number) => {
    height = Math.max(height, calleeHeight + 1);
    if (height > MAX_CALL_DEPTH) fail(at, TOO_DEEP);
  };
  const names = [...parameters];
  const scope = (): Scope => ({
    library,
    captures,
    fail,
    resolve,
    isFunction,
    onCall,
    locals: new Map(names.map((each, index) => [each, index])),
  });
  const values: Evaluate[] = [];
  for (const each of lets) {
    values.push(compileExpression(each.value, scope()));
    names.push(each.name);
  }
  const evaluate = compileExpression(result, scope());
  return {
    arity: parameters.length,
    height,
    call({ run, captures: captured }, args) {
      const locals: RuleValue[] = [...args];
      const frame = { run, captures: captured, locals };
      for (const value of values) locals.push(value(frame));
      return evaluate(frame);
    },
  };
}
