import { UnknownError } from '../evaluation-error.ts';
import {
  dereferenced,
  expectKind,
  isNumber,
  needed,
  NULL,
  type Kind,
  type NumberValue,
  type OfKind,
  type RuleValue,
} from '../rule-value.ts';
import type { Run } from '../run.ts';

/** A function of the language itself, or a method, whose first argument is the value it is called on. */
export interface Native {
  readonly arity: number;
  /** Its arguments are its own to change. */
  readonly call: (args: RuleValue[], run: Run) => RuleValue;
}

export type Natives = Readonly<Record<string, Native>>;

/** An argument must be a value of one kind, or one of these. */
type Parameter = Kind | 'any' | 'number' | 'elements';

type ArgumentOf<P> = P extends Kind
  ? OfKind<P>
  : P extends 'number'
    ? NumberValue
    : P extends 'elements'
      ? OfKind<'array' | 'set'>
      : RuleValue;

type ArgumentsOf<P extends readonly Parameter[]> = { -readonly [At in keyof P]: ArgumentOf<P[At]> };

/** The loader has checked the number of arguments; their types are checked here. */
export function native<const P extends readonly Parameter[]>(
  parameters: P,
  call: (...args: ArgumentsOf<P>) => RuleValue,
): Native {
  return {
    arity: parameters.length,
    call(args) {
      checkAll(args, parameters);
      return call(...args);
    },
  };
}

/** A reference becomes the path that it is. */
function checkAll<P extends readonly Parameter[]>(
  args: RuleValue[],
  parameters: P,
): asserts args is ArgumentsOf<P> {
  for (let at = 0; at < parameters.length; at += 1) {
    args[at] = checked(args[at] ?? NULL, parameters[at] ?? 'any');
  }
}

function checked(value: RuleValue, parameter: Parameter): RuleValue {
  if (parameter === 'any') return value;
  if (parameter === 'number') {
    if (isNumber(value)) return value;
    throw needed('number', value);
  }
  if (parameter === 'elements') {
    if (value.kind === 'array' || value.kind === 'set') return value;
    if (value.kind === 'partial-list') throw new UnknownError('what the whole list is');
    throw needed('list or set', value);
  }
  return expectKind(dereferenced(value), parameter);
}
