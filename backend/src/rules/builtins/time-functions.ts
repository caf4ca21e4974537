import { EvaluationError } from '../evaluation-error.ts';
import type { Arguments } from '../methods/method.ts';
import {
  duration,
  expectKind,
  NANOS_PER_SECOND,
  timestampFromNanos,
  type RuleValue,
} from '../rule-value.ts';
import type { Builtins } from './builtin.ts';

const wholeAt = (args: Arguments, index: number): bigint =>
  expectKind(args.at(index), 'integer').value;

const NANOS_PER_MILLI = 1_000_000n;

function date(args: Arguments): RuleValue {
  const [year, month, day] = [0, 1, 2].map((each) => Number(wholeAt(args, each)));
  const at = new Date(0);
  at.setUTCFullYear(year ?? 0, (month ?? 0) - 1, day);
  if (at.getUTCFullYear() !== year || at.getUTCMonth() + 1 !== month || at.getUTCDate() !== day) {
    throw new EvaluationError('There is no such date.');
  }
  return timestampFromNanos(BigInt(at.getTime()) * NANOS_PER_MILLI);
}

export const TIMESTAMP_FUNCTIONS: Builtins = {
  date: { arity: 3, call: date },
  value: { arity: 1, call: (args) => timestampFromNanos(wholeAt(args, 0) * NANOS_PER_MILLI) },
};

const UNITS: ReadonlyMap<string, bigint> = new Map([
  ['w', 604_800n * NANOS_PER_SECOND],
  ['d', 86_400n * NANOS_PER_SECOND],
  ['h', 3600n * NANOS_PER_SECOND],
  ['m', 60n * NANOS_PER_SECOND],
  ['s', NANOS_PER_SECOND],
  ['ms', NANOS_PER_MILLI],
  ['ns', 1n],
]);

function inUnit(args: Arguments): RuleValue {
  const unit = UNITS.get(expectKind(args.at(1), 'string').value);
  if (unit === undefined) throw new EvaluationError('There is no such unit of time.');
  return duration(wholeAt(args, 0) * unit);
}

function time(args: Arguments): RuleValue {
  const seconds = wholeAt(args, 0) * 3600n + wholeAt(args, 1) * 60n + wholeAt(args, 2);
  return duration(seconds * NANOS_PER_SECOND + wholeAt(args, 3));
}

function absolute(args: Arguments): RuleValue {
  const { nanos } = expectKind(args.at(0), 'duration');
  return duration(nanos < 0n ? -nanos : nanos);
}

export const DURATION_FUNCTIONS: Builtins = {
  value: { arity: 2, call: inUnit },
  time: { arity: 4, call: time },
  abs: { arity: 1, call: absolute },
};
