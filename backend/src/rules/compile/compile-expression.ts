import { compileCall } from './compile-call.ts';
import { EvaluationError, LimitError, UnknownError } from '../evaluation-error.ts';
import { element, member, range } from '../members.ts';
import { applyBinary, negate } from '../operators.ts';
import {
  bool,
  expectBool,
  expectKind,
  isOfType,
  list,
  map,
  path,
  type RuleValue,
} from '../rule-value.ts';
import { isNamespace, type Evaluate, type Scope } from '../scope.ts';
import type {
  Expression,
  LogicalExpression,
  MemberExpression,
  NameExpression,
  PathExpression,
} from '../parse/syntax.ts';

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
  const compile = (each: Expression) => compileExpression(each, scope);
  switch (expression.kind) {
    case 'name':
      return compileName(expression, scope);
    case 'member':
      return compileMember(expression, scope);
    case 'call':
      return compileCall(expression, { scope, compile });
    case 'logical':
      return compileLogical(expression, compile);
    case 'path':
      return compilePath(expression, compile);
    case 'unary': {
      const operand = compile(expression.operand);
      return expression.operator === '!'
        ? (frame) => bool(!expectBool(operand(frame)))
        : (frame) => negate(operand(frame));
    }
    case 'binary': {
      const { operator } = expression;
      const [left, right] = [compile(expression.left), compile(expression.right)];
      return (frame) => applyBinary(operator, left(frame), right(frame));
    }
    case 'is': {
      const { type } = expression;
      const operand = compile(expression.operand);
      return (frame) => bool(isOfType(operand(frame), type));
    }
    case 'ternary': {
      const condition = compile(expression.condition);
      const [yes, no] = [compile(expression.yes), compile(expression.no)];
      return (frame) => (expectBool(condition(frame)) ? yes(frame) : no(frame));
    }
    case 'index': {
      const [object, index] = [compile(expression.object), compile(expression.index)];
      return (frame) => element(object(frame), index(frame));
    }
    case 'range': {
      const [object, from, to] = [expression.object, expression.from, expression.to].map(compile);
      if (object === undefined || from === undefined || to === undefined) throw new TypeError();
      return (frame) => range(object(frame), from(frame), to(frame));
    }
    case 'list': {
      const items = expression.items.map(compile);
      return (frame) => list(items.map((each) => each(frame)));
    }
    default: {
      const entries = expression.entries.map(({ key, value }) => ({ key, value: compile(value) }));
      return (frame) => map(new Map(entries.map(({ key, value }) => [key, value(frame)])));
    }
  }
}

function compileName({ name, at }: NameExpression, scope: Scope): Evaluate {
  const local = scope.locals.get(name);
  if (local !== undefined) return (frame) => known(frame.locals[local], name);
  const capture = scope.captures.get(name);
  if (capture !== undefined) return (frame) => known(frame.captures[capture], name);
  if (name === 'request') return (frame) => frame.run.request;
  if (name === 'resource') return (frame) => frame.run.resource;
  if (scope.isFunction(name) || scope.library.functions.has(name)) {
    return scope.fail(at, `"${name}" is a function: its arguments are missing.`);
  }
  if (scope.library.namespaces.has(name)) {
    return scope.fail(at, `"${name}" is a namespace and no value.`);
  }
  return scope.fail(at, `There is no variable "${name}" here.`);
}

function known(value: RuleValue | undefined, name: string): RuleValue {
  if (value === undefined) throw new UnknownError(`"${name}"`);
  return value;
}

const AUTH_MEMBERS = new Set(['uid', 'token']);
const QUERY_MEMBERS = new Set(['limit', 'offset', 'orderBy']);

function compileMember({ object, name, at }: MemberExpression, scope: Scope): Evaluate {
  const members = knownMembers(object, scope);
  if (members !== undefined && !members.has(name)) {
    scope.fail(at, `There is no "${name}" in what stands before it.`);
  }
  if (object.kind === 'name' && isNamespace(object.name, scope)) {
    return scope.fail(at, `"${object.name}.${name}" is no value.`);
  }
  const evaluate = compileExpression(object, scope);
  return (frame) => member(evaluate(frame), name);
}

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

/** One operand that decides outweighs errors of the others, on either side of it. */
function compileLogical(
  { operator, operands }: LogicalExpression,
  compile: (expression: Expression) => Evaluate,
): Evaluate {
  const decisive = operator === '||';
  const evaluates = operands.map(compile);
  return (frame) => {
    let failure: EvaluationError | null = null;
    for (const evaluate of evaluates) {
      try {
        if (expectBool(evaluate(frame)) === decisive) return bool(decisive);
      } catch (error) {
        if (error instanceof LimitError || !(error instanceof EvaluationError)) throw error;
        failure ??= error;
      }
    }
    if (failure !== null) throw failure;
    return bool(!decisive);
  };
}

function compilePath(
  { segments }: PathExpression,
  compile: (expression: Expression) => Evaluate,
): Evaluate {
  const parts = segments.map((each) => (typeof each === 'string' ? each : compile(each)));
  return (frame) =>
    path(parts.flatMap((each) => (typeof each === 'string' ? [each] : toSegments(each(frame)))));
}

/** A path in a path is its segments; a text is one, whatever it holds. */
const toSegments = (value: RuleValue): readonly string[] =>
  value.kind === 'path' ? value.segments : [expectKind(value, 'string').value];
