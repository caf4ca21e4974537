import { EvaluationError, UnknownError } from '../evaluation-error.ts';
import { methodsOf, type Method } from '../library/methods.ts';
import { compileRegularExpression } from '../library/regular-expression.ts';
import { member } from '../members.ts';
import { dereferenced, nullValue, typeName, type RuleValue } from '../rule-value.ts';
import type { Native } from '../run.ts';
import type { Parsed, Parser } from './parser.ts';
import type { Token } from './scanner.ts';

/** Parses a variable or a function call. A variable hides a namespace of the same name. */
export function parseName(parser: Parser): Parsed {
  const token = parser.take();
  const { text: name, at } = token;
  if (parser.is('(')) return parseCall(parser, token);
  const { locals, captures, library } = parser.scope;
  const local = locals.indexOf(name);
  if (local !== -1) return parser.part(at, (frame) => known(frame.locals[local], name));
  const capture = captures.indexOf(name);
  if (capture !== -1) return parser.part(at, (frame) => known(frame.captures[capture], name));
  if (name === 'request' || name === 'resource') return parser.part(at, ({ run }) => run[name]);
  const isNamespace = [...library.keys()].some((each) => each.startsWith(`${name}.`));
  if (isNamespace) return parseNamespaceCall(parser, token);
  return library.has(name)
    ? parser.fail(at, `"${name}" is a function: its arguments are missing.`)
    : parser.fail(at, `There is no variable "${name}" here.`);
}

function known(value: RuleValue | undefined, name: string): RuleValue {
  if (value === undefined) throw new UnknownError(`what "${name}" is`);
  return value;
}

/** Parses the arguments of a call, of which there must be as many as the arity. */
function parseArguments(parser: Parser, { text: name, at }: Token, arity: number) {
  const args: Parsed[] = [];
  parser.expect('(');
  if (!parser.is(')')) {
    do args.push(parser.expression());
    while (parser.accept(',') !== null);
  }
  parser.expect(')');
  const taken = arity === 1 ? '1 argument' : `${arity} arguments`;
  return args.length === arity
    ? args
    : parser.fail(at, `"${name}" takes ${taken}, not ${args.length}.`);
}

function parseNative(parser: Parser, token: Token, native: Native): Parsed {
  const args = parseArguments(parser, token, native.arity);
  return parser.call(token.at, args, (values, { run }) => native.call(values, run));
}

function parseNamespaceCall(parser: Parser, { text: namespace, at }: Token): Parsed {
  if (parser.accept('.') === null) {
    return parser.fail(at, `"${namespace}" is a namespace and no value.`);
  }
  const token = parser.expectName('The name of a member');
  const name = `${namespace}.${token.text}`;
  if (!parser.is('(')) return parser.fail(token.at, `"${name}" is no value.`);
  const native = parser.scope.library.get(name);
  return native === undefined
    ? parser.fail(token.at, `There is no function "${name}".`)
    : parseNative(parser, token, native);
}

function parseCall(parser: Parser, token: Token): Parsed {
  const { text: name, at } = token;
  const { library, visible, calls } = parser.scope;
  const native = library.get(name);
  if (native !== undefined) return parseNative(parser, token, native);
  const callee = visible.find((each) => each.has(name))?.get(name);
  if (callee === undefined) return parser.fail(at, `There is no function "${name}" here.`);
  const { arity, steps } = callee;
  const args = parseArguments(parser, token, arity);
  calls.push(callee);
  return parser.call(at, args, (locals, { run, captures }) => {
    const inner = { run, captures, locals };
    let result = nullValue;
    for (const step of steps) {
      result = step(inner);
      if (steps.length > 1) locals.push(result);
    }
    return result;
  });
}

/** Parses the name after a value and a dot, with its arguments if it is a method. */
export function parseMember(parser: Parser, object: Parsed): Parsed {
  const token = parser.expectName('The name of a member');
  if (parser.is('(')) return parseMethodCall(parser, object, token);
  const { text: name, at } = token;
  const { evaluate } = object;
  return parser.part(at, (frame) => member(evaluate(frame), name));
}

/** Parses a method call. Evaluation determines the type; here some type must have the method. */
function parseMethodCall(parser: Parser, object: Parsed, token: Token): Parsed {
  const { text: name, at } = token;
  const method = methodsOf(name);
  const [native] = method.values();
  if (native === undefined) return parser.fail(at, `There is no method "${name}".`);
  const args = parseArguments(parser, token, native.arity - 1);
  if (withPattern.has(name)) checkPattern(parser, args[0]);
  return parser.call(at, [object, ...args], (values, { run }) =>
    methodOf(method, values[0] ?? nullValue, name).call(values, run),
  );
}

function methodOf(method: Method, self: RuleValue, name: string): Native {
  const { kind } = dereferenced(self);
  const native = method.get(kind);
  if (native !== undefined) return native;
  // The method would work if the value were completely known.
  throw kind === 'partial-map' && method.has('map')
    ? new UnknownError('what the whole map is')
    : new EvaluationError(`A value of type ${typeName(self)} has no method "${name}".`);
}

const withPattern = new Set(['matches', 'split']);

/** Refuses a malformed literal regular expression when the rules are loaded. */
function checkPattern(parser: Parser, pattern: Parsed | undefined): void {
  if (pattern?.value?.kind !== 'string') return;
  try {
    compileRegularExpression(pattern.value.value);
  } catch (error) {
    if (!(error instanceof EvaluationError)) throw error;
    parser.fail(pattern.at, error.message);
  }
}
