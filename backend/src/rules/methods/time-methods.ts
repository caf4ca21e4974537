import {
  duration,
  int,
  NANOS_PER_SECOND,
  timestampToNanos,
  type RuleValue,
  type TimestampValue,
} from '../rule-value.ts';
import { none, type MethodsOf } from './method.ts';

const DAY_S = 86_400;
const toDate = ({ seconds }: TimestampValue): Date => new Date(seconds * 1000);

const startOfDay = (at: TimestampValue): TimestampValue => ({
  kind: 'timestamp',
  seconds: Math.floor(at.seconds / DAY_S) * DAY_S,
  nanos: 0,
});

function dayOfYear(at: TimestampValue): number {
  const start = new Date(0);
  start.setUTCFullYear(toDate(at).getUTCFullYear(), 0, 1);
  return Math.floor(at.seconds / DAY_S) - start.getTime() / 1000 / DAY_S + 1;
}

const timeOfDay = (at: TimestampValue): RuleValue =>
  duration(timestampToNanos(at) - timestampToNanos(startOfDay(at)));

/** All in UTC; the days of the week are 1 (Monday) to 7. */
export const TIMESTAMP_METHODS: MethodsOf<'timestamp'> = {
  date: { arity: none, call: startOfDay },
  time: { arity: none, call: timeOfDay },
  year: { arity: none, call: (at) => int(toDate(at).getUTCFullYear()) },
  month: { arity: none, call: (at) => int(toDate(at).getUTCMonth() + 1) },
  day: { arity: none, call: (at) => int(toDate(at).getUTCDate()) },
  dayOfWeek: { arity: none, call: (at) => int(toDate(at).getUTCDay() || 7) },
  dayOfYear: { arity: none, call: (at) => int(dayOfYear(at)) },
  hours: { arity: none, call: (at) => int(toDate(at).getUTCHours()) },
  minutes: { arity: none, call: (at) => int(toDate(at).getUTCMinutes()) },
  seconds: { arity: none, call: (at) => int(toDate(at).getUTCSeconds()) },
  nanos: { arity: none, call: ({ nanos }) => int(nanos) },
  toMillis: {
    arity: none,
    call: ({ seconds, nanos }) => int(seconds * 1000 + Math.floor(nanos / 1_000_000)),
  },
};

export const DURATION_METHODS: MethodsOf<'duration'> = {
  seconds: { arity: none, call: ({ nanos }) => int(nanos / NANOS_PER_SECOND) },
  nanos: { arity: none, call: ({ nanos }) => int(nanos % NANOS_PER_SECOND) },
};
