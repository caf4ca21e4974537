import { EvaluationError, UnknownError } from '../evaluation-error.ts';
import { memberOrNone } from '../members.ts';
import {
  bool,
  bytes,
  double,
  duration,
  expectKind,
  int,
  list,
  nanosPerSecond,
  path,
  set,
  text,
  timestampToNanos,
  toBuffer,
  type Kind,
  type OfKind,
  type RuleValue,
  type TimestampValue,
} from '../rule-value.ts';
import { areEqual, distinct, memberOf } from '../value-equality.ts';
import { native, type Native, type Natives } from './native.ts';
import { compileRegularExpression, expectRoom, replaceAll } from './regular-expression.ts';

const texts = (values: Iterable<string>): readonly RuleValue[] =>
  [...values].map((each) => text(each));

/** Counts characters; a surrogate pair is one. */
const countCharacters = (value: string): number =>
  value.length - (value.match(/[\uD800-\uDBFF][\uDC00-\uDFFF]/g)?.length ?? 0);

/** The methods of strings. Characters are code points; `matches` compares the whole string. */
const stringMethods: Natives = {
  lower: native(['string'], ({ value }) => text(value.toLowerCase())),
  upper: native(['string'], ({ value }) => text(value.toUpperCase())),
  trim: native(['string'], ({ value }) => text(value.trim())),
  size: native(['string'], ({ value }) => int(countCharacters(value))),
  toUtf8: native(['string'], ({ value }) => bytes(Buffer.from(value))),
  matches: native(['string', 'string'], ({ value }, { value: pattern }) =>
    bool(compileRegularExpression(pattern).matches(value)),
  ),
  replace: native(['string', 'string', 'string'], ({ value }, pattern, replacement) =>
    text(replaceAll(value, pattern.value, replacement.value)),
  ),
  split: native(['string', 'string'], ({ value }, { value: pattern }) =>
    list(texts(compileRegularExpression(pattern).split(value, -1))),
  ),
};

const collectionMethods: Natives = {
  hasAll: native(['elements', 'elements'], (self, { values }) =>
    bool(values.every(memberOf(self.values))),
  ),
  hasAny: native(['elements', 'elements'], (self, { values }) =>
    bool(values.some(memberOf(self.values))),
  ),
  hasOnly: native(['elements', 'elements'], (self, { values }) =>
    bool(self.values.every(memberOf(values))),
  ),
  size: native(['elements'], ({ values }) => int(values.length)),
};

function without(values: readonly RuleValue[], removed: readonly RuleValue[]) {
  const isRemoved = memberOf(removed);
  return values.filter((each) => !isRemoved(each));
}

const listMethods: Natives = {
  ...collectionMethods,
  concat: native(['array', 'array'], (self, { values }) => list([...self.values, ...values])),
  join: native(['array', 'string'], ({ values }, { value: separator }) => {
    expectRoom(values.length, separator);
    return text(values.map((each) => expectKind(each, 'string').value).join(separator));
  }),
  removeAll: native(['array', 'array'], (self, { values }) => list(without(self.values, values))),
  toSet: native(['array'], ({ values }) => set(distinct(values))),
};

const setMethods: Natives = {
  ...collectionMethods,
  difference: native(['set', 'set'], (self, { values }) => set(without(self.values, values))),
  intersection: native(['set', 'set'], (self, { values }) =>
    set(self.values.filter(memberOf(values))),
  ),
  union: native(['set', 'set'], (self, { values }) => set(distinct([...self.values, ...values]))),
};

const trueOrUnknown = (isTrue: boolean): RuleValue => {
  if (isTrue) return bool(true);
  throw new UnknownError('what is in the list');
};

/** The methods of a list of which an array-contains query tells only some elements. */
const partialListMethods: Natives = {
  hasAny: native(['partial-list', 'elements'], ({ contains }, { values }) =>
    trueOrUnknown(values.some(memberOf(contains))),
  ),
  hasAll: native(['partial-list', 'elements'], ({ contains }, { values }) =>
    trueOrUnknown(values.every(memberOf(contains))),
  ),
};

/** Gets a value by key, or by a list of keys through nested maps. */
function getOr(start: RuleValue, key: RuleValue, otherwise: RuleValue): RuleValue {
  const keys = key.kind === 'string' ? [key] : expectKind(key, 'array').values;
  let value = start;
  for (const each of keys) {
    const name = expectKind(each, 'string').value;
    const isMap = value.kind === 'map' || value.kind === 'partial-map';
    const next = isMap ? memberOrNone(value, name) : undefined;
    if (next === undefined) return otherwise;
    value = next;
  }
  return value;
}

const mapMethods: Natives = {
  get: native(['map', 'any', 'any'], getOr),
  keys: native(['map'], ({ fields }) => list(texts(fields.keys()))),
  values: native(['map'], ({ fields }) => list([...fields.values()])),
  size: native(['map'], ({ fields }) => int(fields.size)),
  diff: native(['map', 'map'], (self, { fields }) => ({
    kind: 'map-diff',
    left: self.fields,
    right: fields,
  })),
};

const partialMapMethods: Natives = { get: native(['partial-map', 'any', 'any'], getOr) };

type Diff = OfKind<'map-diff'>;

/** In `left.diff(right)` the added keys are those that only `left` has. */
const added = ({ left, right }: Diff) => [...left.keys()].filter((each) => !right.has(each));
const removed = ({ left, right }: Diff) => [...right.keys()].filter((each) => !left.has(each));
const common = ({ left, right }: Diff, areWantedEqual: boolean) =>
  [...left].flatMap(([key, value]) => {
    const other = right.get(key);
    return other !== undefined && areEqual(value, other) === areWantedEqual ? [key] : [];
  });

const mapDiffMethods: Natives = {
  addedKeys: native(['map-diff'], (diff) => set(texts(added(diff)))),
  removedKeys: native(['map-diff'], (diff) => set(texts(removed(diff)))),
  changedKeys: native(['map-diff'], (diff) => set(texts(common(diff, false)))),
  unchangedKeys: native(['map-diff'], (diff) => set(texts(common(diff, true)))),
  affectedKeys: native(['map-diff'], (diff) =>
    set(texts([...added(diff), ...removed(diff), ...common(diff, false)])),
  ),
};

const daySeconds = 86_400;

const startOfDay = ({ seconds }: TimestampValue): TimestampValue => ({
  kind: 'timestamp',
  seconds: Math.floor(seconds / daySeconds) * daySeconds,
  nanos: 0,
});

function dayOfYear({ seconds }: TimestampValue): number {
  const start = new Date(seconds * 1000);
  start.setUTCMonth(0, 1);
  return Math.floor(seconds / daySeconds) - Math.floor(start.getTime() / 1000 / daySeconds) + 1;
}

const datePart = (read: (date: Date) => number): Native =>
  native(['timestamp'], ({ seconds }) => int(read(new Date(seconds * 1000))));

/** The methods of timestamps, all in UTC; the days of the week are 1 (Monday) to 7. */
const timestampMethods: Natives = {
  date: native(['timestamp'], startOfDay),
  time: native(['timestamp'], (at) =>
    duration(timestampToNanos(at) - timestampToNanos(startOfDay(at))),
  ),
  year: datePart((date) => date.getUTCFullYear()),
  month: datePart((date) => date.getUTCMonth() + 1),
  day: datePart((date) => date.getUTCDate()),
  dayOfWeek: datePart((date) => date.getUTCDay() || 7),
  dayOfYear: native(['timestamp'], (at) => int(dayOfYear(at))),
  hours: datePart((date) => date.getUTCHours()),
  minutes: datePart((date) => date.getUTCMinutes()),
  seconds: datePart((date) => date.getUTCSeconds()),
  nanos: native(['timestamp'], ({ nanos }) => int(nanos)),
  toMillis: native(['timestamp'], ({ seconds, nanos }) =>
    int(seconds * 1000 + Math.floor(nanos / 1_000_000)),
  ),
};

const durationMethods: Natives = {
  seconds: native(['duration'], ({ nanos }) => int(nanos / nanosPerSecond)),
  nanos: native(['duration'], ({ nanos }) => int(nanos % nanosPerSecond)),
};

/** Encodes base64url with padding, which Node omits. */
const toBase64Url = (buffer: Buffer): string =>
  buffer.toString('base64').replaceAll('+', '-').replaceAll('/', '_');

const bytesMethods: Natives = {
  size: native(['bytes'], (self) => int(toBuffer(self).length)),
  toBase64: native(['bytes'], (self) => text(toBase64Url(toBuffer(self)))),
  toHexString: native(['bytes'], (self) => text(toBuffer(self).toString('hex').toUpperCase())),
};

const earthRadiusMeters = 6_371_010;
const radians = (degrees: number): number => (degrees * Math.PI) / 180;

/** Returns the great-circle distance in metres. */
function distance(from: OfKind<'geo'>, to: OfKind<'geo'>): number {
  const latitudes = Math.sin(radians(to.latitude - from.latitude) / 2) ** 2;
  const longitudes = Math.sin(radians(to.longitude - from.longitude) / 2) ** 2;
  const scale = Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude));
  return 2 * earthRadiusMeters * Math.asin(Math.sqrt(Math.min(1, latitudes + scale * longitudes)));
}

const latLngMethods: Natives = {
  latitude: native(['geo'], ({ latitude }) => double(latitude)),
  longitude: native(['geo'], ({ longitude }) => double(longitude)),
  distance: native(['geo', 'geo'], (self, other) => double(distance(self, other))),
};

const pathMethods: Natives = {
  bind: native(['path', 'map'], ({ segments }, { fields }) =>
    path(
      segments.map((each) => {
        const name = /^\{(\w+)\}$/.exec(each)?.[1];
        if (name === undefined) return each;
        const value = fields.get(name);
        if (value === undefined) throw new EvaluationError(`"${name}" is not bound.`);
        return expectKind(value, 'string').value;
      }),
    ),
  ),
};

const methodsByKind: readonly (readonly [Kind, Natives])[] = [
  ['string', stringMethods],
  ['array', listMethods],
  ['partial-list', partialListMethods],
  ['set', setMethods],
  ['map', mapMethods],
  ['partial-map', partialMapMethods],
  ['map-diff', mapDiffMethods],
  ['timestamp', timestampMethods],
  ['duration', durationMethods],
  ['bytes', bytesMethods],
  ['geo', latLngMethods],
  ['path', pathMethods],
];

export type Method = ReadonlyMap<Kind, Native>;

/** The methods by name, then by kind of value. A method takes the same number of arguments for every kind. */
export const methods: ReadonlyMap<string, Method> = indexMethods();

function indexMethods(): ReadonlyMap<string, Method> {
  const byName = new Map<string, Map<Kind, Native>>();
  for (const [kind, natives] of methodsByKind) {
    for (const [name, each] of Object.entries(natives)) {
      const byKind = byName.get(name) ?? new Map<Kind, Native>();
      byName.set(name, byKind.set(kind, each));
    }
  }
  return byName;
}
