import {
  dereferenced,
  expectKind,
  needed,
  nullValue,
  type Kind,
  type OfKind,
  type RuleValue,
} from '../rule-value.ts';
import type { Run } from '../run.ts';

/** A built-in function or method; the first argument of a method is the value that it is called on. */
export interface Native {
  readonly arity: number;
  /** Calls it; it may modify the list of arguments. */
  readonly call: (args: RuleValue[], run: Run) => RuleValue;
}

export type Natives = Readonly<Record<string, Native>>;

/** The kind of an argument, or a group of kinds. */
type Parameter = Kind | 'any' | 'elements';

type ArgumentOf<P> = P extends Kind
  ? OfKind<P>
  : P extends 'elements'
    ? OfKind<'array' | 'set'>
    : RuleValue;

type ArgumentsOf<P extends readonly Parameter[]> = { -readonly [At in keyof P]: ArgumentOf<P[At]> };

/** Creates a built-in that checks the types of its arguments; the loader has checked their number. */
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

/** Checks the types of arguments, and converts references to paths. */
function checkAll<P extends readonly Parameter[]>(
  args: RuleValue[],
  parameters: P,
): asserts args is ArgumentsOf<P> {
  for (let at = 0; at < parameters.length; at += 1) {
    args[at] = checked(args[at] ?? nullValue, parameters[at] ?? 'any');
  }
}

function checked(value: RuleValue, parameter: Parameter): RuleValue {
  if (parameter === 'any') return value;
  if (parameter === 'elements') {
    if (value.kind === 'array' || value.kind === 'set') return value;
    throw needed('list or set', value);
  }
  return expectKind(dereferenced(value), parameter);
}
