import { EvaluationError } from '../evaluation-error.ts';
import type { Builtin } from '../builtins/builtin.ts';
import { toArguments } from '../methods/method.ts';
import { callMethod, methodArities } from '../methods/methods.ts';
import { compileRegularExpression } from '../methods/regular-expression.ts';
import { isNamespace, type CompiledFunction, type Evaluate, type Scope } from '../scope.ts';
import type { CallExpression, Expression, MemberExpression } from '../parse/syntax.ts';

/**
 * - A call is resolved when the file is loaded; which type a method belongs to is known only when it is evaluated, so
 *   the loader asks for some type that has such a method with that many arguments.
 * - A malformed regular expression that is written out is refused by the loader as well.
 */
interface CallContext {
  readonly scope: Scope;
  readonly compile: (expression: Expression) => Evaluate;
}

export function compileCall(call: CallExpression, context: CallContext): Evaluate {
  const { callee } = call;
  const { scope } = context;
  if (callee.kind === 'member') {
    const { object } = callee;
    return object.kind === 'name' && isNamespace(object.name, scope)
      ? compileNamespaceCall(call, { ...context, namespace: object.name, name: callee.name })
      : compileMethodCall(call, callee, context);
  }
  const own = scope.resolve(callee.name, call.at);
  if (own !== null) return compileOwnCall(call, own, context);
  const builtin = scope.library.functions.get(callee.name);
  return builtin === undefined
    ? scope.fail(call.at, `There is no function "${callee.name}" here.`)
    : compileBuiltin(call, builtin, context);
}

function compileNamespaceCall(
  call: CallExpression,
  context: CallContext & { readonly namespace: string; readonly name: string },
): Evaluate {
  const { scope, namespace, name } = context;
  const builtin = scope.library.namespaces.get(namespace)?.get(name);
  return builtin === undefined
    ? scope.fail(call.at, `There is no function "${namespace}.${name}".`)
    : compileBuiltin(call, builtin, context);
}

function compileOwnCall(
  call: CallExpression,
  own: CompiledFunction,
  context: CallContext,
): Evaluate {
  checkCount(call, [[own.arity, own.arity]], context);
  context.scope.onCall(own.height);
  const args = call.args.map(context.compile);
  return (frame) =>
    own.call(
      frame,
      args.map((each) => each(frame)),
    );
}

function compileBuiltin(call: CallExpression, builtin: Builtin, context: CallContext): Evaluate {
  checkCount(call, [[builtin.arity, builtin.arity]], context);
  const args = call.args.map(context.compile);
  return (frame) => builtin.call(toArguments(args.map((each) => each(frame))), frame.run);
}

function compileMethodCall(
  call: CallExpression,
  { object, name, at }: MemberExpression,
  context: CallContext,
): Evaluate {
  const self = context.compile(object);
  const arities = methodArities(name);
  if (arities.length === 0) context.scope.fail(at, `There is no method "${name}".`);
  checkCount(call, arities, context);
  checkRegularExpression(call, name, context);
  const args = call.args.map(context.compile);
  return (frame) =>
    callMethod(
      self(frame),
      name,
      args.map((each) => each(frame)),
    );
}

function checkCount(
  { at, callee, args }: CallExpression,
  arities: readonly (readonly [min: number, max: number])[],
  { scope }: CallContext,
): void {
  if (arities.some(([min, max]) => args.length >= min && args.length <= max)) return;
  const counts = [...new Set(arities.map(([min]) => min))].toSorted((a, b) => a - b).join(' or ');
  const count = counts === '1' ? '1 argument' : `${counts} arguments`;
  scope.fail(at, `"${callee.name}" takes ${count}, not ${args.length}.`);
}

const WITH_PATTERN = new Set(['matches', 'replace', 'split']);

function checkRegularExpression(
  { args: [pattern] }: CallExpression,
  name: string,
  { scope }: CallContext,
): void {
  if (!WITH_PATTERN.has(name) || pattern?.kind !== 'literal') return;
  if (pattern.value.kind !== 'string') return;
  try {
    compileRegularExpression(pattern.value.value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    scope.fail(pattern.at, error.message);
  }
}
