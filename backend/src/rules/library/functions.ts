import { createHash } from 'node:crypto';
import crc32 from 'crc-32';
import crc32c from 'crc-32/crc32c.js';
import { EvaluationError } from '../evaluation-error.ts';
import {
  bool,
  bytes,
  dereferenced,
  double,
  duration,
  expectKind,
  int,
  nanosPerSecond,
  nullValue,
  path,
  text,
  timestampFromNanos,
  toBuffer,
  typeName,
  type RuleValue,
} from '../rule-value.ts';
import { native, type Native, type Natives } from './native.ts';

const unconvertible = (value: RuleValue, type: string) =>
  new EvaluationError(`This value of type ${typeName(value)} cannot become ${type}.`);

function toInt(value: RuleValue): RuleValue {
  if (value.kind === 'integer') return value;
  if (value.kind === 'double') return int(Math.trunc(value.value));
  if (value.kind === 'string' && /^[+-]?\d{1,19}$/.test(value.value)) {
    return int(BigInt(value.value.replace('+', '')));
  }
  throw unconvertible(value, 'int');
}

const floatPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

function toFloat(value: RuleValue): RuleValue {
  if (value.kind === 'double') return value;
  if (value.kind === 'integer') return double(Number(value.value));
  if (value.kind === 'string' && floatPattern.test(value.value)) return double(Number(value.value));
  throw unconvertible(value, 'float');
}

function toText(value: RuleValue): RuleValue {
  switch (value.kind) {
    case 'string':
      return value;
    case 'null':
      return text('null');
    case 'boolean':
    case 'integer':
      return text(String(value.value));
    case 'double':
      return text(Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value));
    default:
      throw unconvertible(value, 'string');
  }
}

function toBool(value: RuleValue): RuleValue {
  if (value.kind === 'boolean') return value;
  if (value.kind === 'string' && /^(true|false)$/i.test(value.value)) {
    return bool(value.value.toLowerCase() === 'true');
  }
  throw unconvertible(value, 'bool');
}

function toPath(value: RuleValue): RuleValue {
  if (value.kind === 'path') return value;
  return path(expectKind(value, 'string').value.replace(/^\//, '').split('/'));
}

/** Rounds a float; an integer stays, since it may exceed the precision of a float. */
const rounding = (round: (value: number) => number): Native =>
  native(['number'], (number) => (number.kind === 'integer' ? number : int(round(number.value))));

const checksum = (crc: (buffer: Buffer) => number): Native =>
  native(['any'], (value) => {
    const result = Buffer.alloc(4);
    result.writeInt32BE(crc(hashed(value)));
    return bytes(result);
  });

const digest = (algorithm: string): Native =>
  native(['any'], (value) => bytes(createHash(algorithm).update(hashed(value)).digest()));

const hashed = (value: RuleValue): Buffer =>
  value.kind === 'string' ? Buffer.from(value.value) : toBuffer(expectKind(value, 'bytes'));

const nanosPerMilli = 1_000_000n;

function toDate(...parts: readonly [bigint, bigint, bigint]): RuleValue {
  const [year, month, day] = parts.map(Number);
  const at = new Date(0);
  at.setUTCFullYear(year ?? NaN, (month ?? NaN) - 1, day);
  if (at.getUTCFullYear() !== year || at.getUTCMonth() + 1 !== month || at.getUTCDate() !== day) {
    throw new EvaluationError('There is no such date.');
  }
  return timestampFromNanos(BigInt(at.getTime()) * nanosPerMilli);
}

const nanosByUnit: ReadonlyMap<string, bigint> = new Map([
  ['w', 604_800n * nanosPerSecond],
  ['d', 86_400n * nanosPerSecond],
  ['h', 3600n * nanosPerSecond],
  ['m', 60n * nanosPerSecond],
  ['s', nanosPerSecond],
  ['ms', nanosPerMilli],
  ['ns', 1n],
]);

function toDuration(count: bigint, name: string): RuleValue {
  const unit = nanosByUnit.get(name);
  if (unit === undefined) throw new EvaluationError('There is no such unit of time.');
  return duration(count * unit);
}

function toPlace(latitude: number, longitude: number): RuleValue {
  if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
    throw new EvaluationError('There is no such place.');
  }
  return { kind: 'geo', latitude, longitude };
}

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

/** The functions of every service, by name with its namespace. */
export const commonFunctions: Natives = {
  int: native(['any'], toInt),
  float: native(['any'], toFloat),
  string: native(['any'], toText),
  bool: native(['any'], toBool),
  path: native(['any'], toPath),
  debug: native(['any'], (value) => value),
  'math.abs': native(['number'], (number) =>
    number.kind === 'integer' ? int(magnitude(number.value)) : double(Math.abs(number.value)),
  ),
  'math.ceil': rounding(Math.ceil),
  'math.floor': rounding(Math.floor),
  'math.round': rounding(Math.round),
  'math.isInfinite': native(['number'], ({ value }) => bool(Math.abs(Number(value)) === Infinity)),
  'math.isNaN': native(['number'], ({ value }) => bool(Number.isNaN(value))),
  'math.pow': native(['number', 'number'], (base, exponent) =>
    double(Number(base.value) ** Number(exponent.value)),
  ),
  'math.sqrt': native(['number'], ({ value }) => double(Math.sqrt(Number(value)))),
  'timestamp.date': native(['integer', 'integer', 'integer'], (year, month, day) =>
    toDate(year.value, month.value, day.value),
  ),
  'timestamp.value': native(['integer'], ({ value }) => timestampFromNanos(value * nanosPerMilli)),
  'duration.value': native(['integer', 'string'], (count, unit) =>
    toDuration(count.value, unit.value),
  ),
  'duration.time': native(['integer', 'integer', 'integer', 'integer'], (hours, ...others) => {
    const [minutes, seconds, nanos] = others;
    const whole = hours.value * 3600n + minutes.value * 60n + seconds.value;
    return duration(whole * nanosPerSecond + nanos.value);
  }),
  'duration.abs': native(['duration'], ({ nanos }) => duration(magnitude(nanos))),
  'hashing.crc32': checksum((buffer) => crc32.buf(buffer)),
  'hashing.crc32c': checksum((buffer) => crc32c.buf(buffer)),
  'hashing.md5': digest('md5'),
  'hashing.sha256': digest('sha256'),
  'latlng.value': native(['number', 'number'], (latitude, longitude) =>
    toPlace(Number(latitude.value), Number(longitude.value)),
  ),
};

const access = (when: 'before' | 'after', answer: (found: RuleValue) => RuleValue): Native => ({
  arity: 1,
  call: ([target = nullValue], run) =>
    answer(run.access(when, expectKind(dereferenced(target), 'path'))),
});

export const getting = (when: 'before' | 'after'): Native => access(when, (found) => found);
export const finding = (when: 'before' | 'after'): Native =>
  access(when, (found) => bool(found !== nullValue));
