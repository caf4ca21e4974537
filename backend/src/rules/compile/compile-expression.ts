import { EvaluationError, UnknownError } from '../evaluation-error.ts';
import { METHODS, type Method } from '../library/methods.ts';
import type { Native } from '../library/native.ts';
import { compileRegularExpression } from '../library/regular-expression.ts';
import type { Library } from '../library/services.ts';
import { member } from '../members.ts';
import type {
  CallExpression,
  Expression,
  LogicalExpression,
  MemberExpression,
  NameExpression,
  Operation,
} from '../parse/syntax.ts';
import { bool, dereferenced, expectBool, NULL, typeName, type RuleValue } from '../rule-value.ts';
import type { Fail, Position } from '../rules-error.ts';
import type { Run } from '../run.ts';

/** Where an expression is evaluated: the request, the wildcards of its match and its own variables. */
export interface Frame {
  readonly run: Run;
  /** Undefined: the query does not tell. */
  readonly captures: readonly (RuleValue | undefined)[];
  readonly locals: readonly RuleValue[];
}

export type Evaluate = (frame: Frame) => RuleValue;

export interface CompiledFunction {
  readonly name: string;
  readonly at: Position;
  readonly arity: number;
  /** The functions of the file that it calls. */
  readonly calls: FunctionCall[];
  /** Its variables, then its result. */
  readonly steps: Evaluate[];
}

export interface FunctionCall {
  readonly at: Position;
  readonly callee: CompiledFunction;
}

/**
 * The meaning of names at a place of the file. Wildcards are numbered along the path of nested matches, so a function
 * sees those of its own match under the same numbers wherever it is called from.
 */
export interface Scope {
  readonly library: Library;
  readonly captures: readonly string[];
  readonly locals: readonly string[];
  readonly functions: ReadonlyMap<string, CompiledFunction>;
  /** Collects the calls of functions of the file. */
  readonly calls: FunctionCall[];
  readonly fail: Fail;
}

/** Makes a closure of an expression; throws a RulesError for names that mean nothing where it stands. */
export function compileExpression(expression: Expression, scope: Scope): Evaluate {
  if (expression.kind === 'literal') {
    const { value } = expression;
    return () => value;
  }
  const evaluate = compileNode(expression, scope);
  return (frame) => {
    frame.run.step();
    return evaluate(frame);
  };
}

function compileNode(expression: Exclude<Expression, { kind: 'literal' }>, scope: Scope): Evaluate {
  switch (expression.kind) {
    case 'name':
      return compileName(expression, scope);
    case 'member':
      return compileMember(expression, scope);
    case 'call':
      return compileCall(expression, scope);
    case 'logical':
      return compileLogical(expression, scope);
    case 'ternary': {
      const condition = compileExpression(expression.condition, scope);
      const yes = compileExpression(expression.yes, scope);
      const no = compileExpression(expression.no, scope);
      return (frame) => (expectBool(condition(frame)) ? yes(frame) : no(frame));
    }
    default:
      return compileOperation(expression, scope);
  }
}

function compileOperation({ operands, apply }: Operation, scope: Scope): Evaluate {
  const [first, second, ...others] = operands.map((each) => compileExpression(each, scope));
  if (first === undefined) return () => apply();
  if (second === undefined) return (frame) => apply(first(frame));
  if (others.length === 0) return (frame) => apply(first(frame), second(frame));
  return (frame) => apply(first(frame), second(frame), ...others.map((each) => each(frame)));
}

function compileAll(expressions: readonly Expression[], scope: Scope) {
  const evaluates = expressions.map((each) => compileExpression(each, scope));
  return (frame: Frame): RuleValue[] => evaluates.map((each) => each(frame));
}

function compileName({ name, at }: NameExpression, scope: Scope): Evaluate {
  const { locals, captures, functions, library }: Scope = scope;
  const local = locals.indexOf(name);
  if (local !== -1) return (frame) => known(frame.locals[local], name);
  const capture = captures.indexOf(name);
  if (capture !== -1) return (frame) => known(frame.captures[capture], name);
  if (name === 'request') return (frame) => frame.run.request;
  if (name === 'resource') return (frame) => frame.run.resource;
  if (functions.has(name) || library.functions.has(name)) {
    return scope.fail(at, `"${name}" is a function: its arguments are missing.`);
  }
  return library.namespaces.has(name)
    ? scope.fail(at, `"${name}" is a namespace and no value.`)
    : scope.fail(at, `There is no variable "${name}" here.`);
}

function known(value: RuleValue | undefined, name: string): RuleValue {
  if (value === undefined) throw new UnknownError(`what "${name}" is`);
  return value;
}

/** A variable hides a namespace of the same name. */
const isNamespace = (object: Expression, { library, locals, captures }: Scope): boolean =>
  object.kind === 'name' &&
  library.namespaces.has(object.name) &&
  !locals.includes(object.name) &&
  !captures.includes(object.name);

function compileMember({ object, name, at }: MemberExpression, scope: Scope): Evaluate {
  if (knownMembers(object, scope)?.has(name) === false) {
    scope.fail(at, `There is no "${name}" in what stands before it.`);
  }
  if (object.kind === 'name' && isNamespace(object, scope)) {
    scope.fail(at, `"${object.name}.${name}" is no value.`);
  }
  const evaluate = compileExpression(object, scope);
  return (frame) => member(evaluate(frame), name);
}

const AUTH_MEMBERS = new Set(['uid', 'token']);
const QUERY_MEMBERS = new Set(['limit', 'offset', 'orderBy']);

/** The members of what the service provides; undefined: whatever documents and tokens hold. */
function knownMembers(object: Expression, { library }: Scope): ReadonlySet<string> | undefined {
  if (object.kind === 'name') {
    if (object.name === 'request') return library.requestMembers;
    return object.name === 'resource' ? library.resourceMembers : undefined;
  }
  if (object.kind !== 'member' || object.object.kind !== 'name') return undefined;
  if (object.object.name !== 'request') return undefined;
  if (object.name === 'auth') return AUTH_MEMBERS;
  if (object.name === 'query') return QUERY_MEMBERS;
  return object.name === 'resource' ? library.resourceMembers : undefined;
}

/**
 * A call is resolved when the file is loaded, except for the type that a method belongs to: some type must have such a
 * method with that many arguments.
 */
function compileCall(call: CallExpression, scope: Scope): Evaluate {
  const { callee, at } = call;
  if (callee.kind === 'member' && !isNamespace(callee.object, scope)) {
    return compileMethodCall(call, callee, scope);
  }
  const own = callee.kind === 'name' ? scope.functions.get(callee.name) : undefined;
  if (own !== undefined) return compileOwnCall(call, own, scope);
  const name = fullName(callee);
  const native = scope.library.functions.get(name);
  if (native !== undefined) return compileNativeCall(call, native, scope);
  const where = callee.kind === 'name' ? ' here' : '';
  return scope.fail(at, `There is no function "${name}"${where}.`);
}

const fullName = (callee: CallExpression['callee']): string =>
  callee.kind === 'member' && callee.object.kind === 'name'
    ? `${callee.object.name}.${callee.name}`
    : callee.name;

function checkCount({ at, callee, args }: CallExpression, arity: number, { fail }: Scope): void {
  if (args.length === arity) return;
  const count = arity === 1 ? '1 argument' : `${arity} arguments`;
  fail(at, `"${callee.name}" takes ${count}, not ${args.length}.`);
}

function compileNativeCall(call: CallExpression, native: Native, scope: Scope): Evaluate {
  checkCount(call, native.arity, scope);
  const evaluateArgs = compileAll(call.args, scope);
  return (frame) => native.call(evaluateArgs(frame), frame.run);
}

function compileOwnCall(call: CallExpression, callee: CompiledFunction, scope: Scope): Evaluate {
  checkCount(call, callee.arity, scope);
  scope.calls.push({ at: call.at, callee });
  const evaluateArgs = compileAll(call.args, scope);
  const { steps } = callee;
  return (frame) => {
    const locals = evaluateArgs(frame);
    const inner = { run: frame.run, captures: frame.captures, locals };
    let result = NULL;
    for (const step of steps) {
      result = step(inner);
      if (steps.length > 1) locals.push(result);
    }
    return result;
  };
}

function compileMethodCall(
  call: CallExpression,
  { object, name, at }: MemberExpression,
  scope: Scope,
): Evaluate {
  const evaluateAll = compileAll([object, ...call.args], scope);
  const method = METHODS.get(name);
  const [native] = method?.values() ?? [];
  if (method === undefined || native === undefined) {
    return scope.fail(at, `There is no method "${name}".`);
  }
  checkCount(call, native.arity - 1, scope);
  checkRegularExpression(call, name, scope);
  return (frame) => {
    const args = evaluateAll(frame);
    return methodOf(method, args[0] ?? NULL, name).call(args, frame.run);
  };
}

function methodOf(method: Method, self: RuleValue, name: string): Native {
  const { kind } = dereferenced(self);
  const native = method.get(kind);
  if (native !== undefined) return native;
  // The method could answer if all of the value were known.
  const isOfWhole =
    (kind === 'partial-map' && method.has('map')) ||
    (kind === 'partial-list' && method.has('array'));
  throw isOfWhole
    ? new UnknownError(`what the whole ${typeName(self)} is`)
    : new EvaluationError(`A value of type ${typeName(self)} has no method "${name}".`);
}

const WITH_PATTERN = new Set(['matches', 'replace', 'split']);

/** A malformed regular expression that is written out is refused by the loader already. */
function checkRegularExpression(
  { args: [pattern] }: CallExpression,
  name: string,
  { fail }: Scope,
): void {
  if (!WITH_PATTERN.has(name) || pattern?.kind !== 'literal') return;
  if (pattern.value.kind !== 'string') return;
  try {
    compileRegularExpression(pattern.value.value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    fail(pattern.at, error.message);
  }
}

/** One operand that decides outweighs errors of the others, on either side of it. */
function compileLogical({ operator, operands }: LogicalExpression, scope: Scope): Evaluate {
  const decisive = operator === '||';
  const evaluates = operands.map((each) => compileExpression(each, scope));
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
