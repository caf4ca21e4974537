import type { Random } from '../random.ts';
import {
  all,
  any,
  bool,
  dbl,
  int,
  list,
  map,
  orderBy,
  ref,
  str,
  time,
  unary,
  where,
} from '../../support/firestore-json.ts';

/** JSON of the protocol, in the form in which the server returns it. */
export type Json = Readonly<Record<string, unknown>>;

const fieldNames = ['a', 'b', 'c.d', 'e'] as const;
const bytes = (text: string) => ({ bytesValue: Buffer.from(text).toString('base64') });
const geo = (latitude: number, longitude: number) => ({ geoPointValue: { latitude, longitude } });
const vector = (...values: number[]) =>
  map({ __type__: str('__vector__'), value: list(...values.map((each) => dbl(each))) });
const nul = { nullValue: null };

/** A few values of each type, so that equal ones are frequent, and the limits of each range. */
const scalars: readonly Json[] = [
  nul,
  bool(false),
  bool(true),
  int(0),
  int(1),
  int(2),
  int(-3),
  int(9_007_199_254_740_993n),
  int(9_223_372_036_854_775_807n),
  int(-9_223_372_036_854_775_808n),
  dbl(1),
  dbl(1.5),
  dbl('-0'),
  dbl('NaN'),
  dbl('Infinity'),
  dbl('-Infinity'),
  dbl(9_007_199_254_740_992),
  dbl(5e-324),
  time('2026-01-02T03:04:05Z'),
  time('2026-01-02T03:04:05.000001Z'),
  time('0001-01-01T00:00:00Z'),
  str(''),
  str('a'),
  str('aa'),
  str('ä'),
  str('\uffee'),
  str('😀'),
  bytes(''),
  bytes('a'),
  bytes('ab'),
  ref('a/b'),
  ref('a/__id7__'),
  ref('a/__id10__'),
  ref('a/b/c/d'),
  geo(0, 0),
  geo(-90, 180),
  geo(0, -1),
];

const long = str('x'.repeat(30_000));

/** Returns a random value; a list contains no list, as Firestore requires. */
function anyValue(random: Random, depth = 0): Json {
  const chance = random.below(depth > 2 ? 8 : 12);
  if (chance < 8) return depth === 0 && random.below(60) === 0 ? long : random.pick(scalars);
  if (chance === 8) return vector(...numbers(random));
  if (chance === 9) return map(anyFields(random, depth + 1));
  if (random.below(40) === 0) return list(...Array.from({ length: 500 }, (_, at) => int(at)));
  return list(...anyItems(random, depth + 1));
}

function anyItems(random: Random, depth: number): Json[] {
  const items = Array.from({ length: random.below(4) }, () => anyValue(random, depth));
  return items.filter((each) => !('arrayValue' in each));
}

const numbers = (random: Random): number[] =>
  Array.from({ length: random.below(3) }, () => random.below(3));

function anyFields(random: Random, depth = 0): Record<string, Json> {
  const fields: Record<string, Json> = {};
  for (const name of ['a', 'b', 'e']) {
    if (random.below(3) > 0) fields[name] = anyValue(random, depth);
  }
  if (random.below(3) > 0) fields['c'] = map({ d: anyValue(random, depth + 1) });
  return fields;
}

const ids = ['1', '2', '3', 'z', '__id7__', '__id10__', '😀', '\uffee', 'a.b', 'x'.repeat(300)];

/** Returns the path of a document in one of three collections, two of them below documents. */
export function anyPath(random: Random, collection: string): string {
  const parent = random.pick(['', '', `${collection}p/x/`, `${collection}p/y/`]);
  return `${parent}${collection}/${random.pick(ids)}`;
}

export const anyDocument = (random: Random): Record<string, Json> => anyFields(random);

const comparisons = [
  'EQUAL',
  'EQUAL',
  'NOT_EQUAL',
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'ARRAY_CONTAINS',
];
const lists = ['IN', 'NOT_IN', 'ARRAY_CONTAINS_ANY'];
const unaries = ['IS_NULL', 'IS_NOT_NULL', 'IS_NAN', 'IS_NOT_NAN'];

function anyFilter(random: Random, depth = 0): unknown {
  const chance = random.below(depth > 2 ? 10 : 13);
  const field = random.pick(fieldNames);
  if (chance < 6) return where(field, random.pick(comparisons), anyValue(random, 1));
  if (chance < 9) {
    const values = Array.from({ length: 1 + random.below(5) }, () => anyValue(random, 1));
    return where(field, random.pick(lists), list(...values));
  }
  if (chance === 9) return unary(field, random.pick(unaries));
  const filters = Array.from({ length: 1 + random.below(3) }, () => anyFilter(random, depth + 1));
  return random.below(2) === 0 ? all(...filters) : any(...filters);
}

const directions = ['ASCENDING', 'DESCENDING'] as const;

export interface AnyQuery {
  /** The path of the parent document; empty for the root. */
  readonly parent: string;
  readonly structuredQuery: Json;
}

/** Returns a well-formed query, which Firestore may still refuse. */
export function anyQueryOf(random: Random, collection: string): AnyQuery {
  const allDescendants = random.below(3) === 0;
  const parent = random.pick(['', '', `${collection}p/x`]);
  const names = fieldNames.filter(() => random.below(5) === 0);
  const orders = names.map((field) => orderBy(field, random.pick(directions)));
  if (random.below(6) === 0) orders.push(orderBy('__name__', random.pick(directions)));
  const cursor = () => ({
    values: orders
      .slice(0, 1 + random.below(3))
      .map(({ field: { fieldPath } }) =>
        fieldPath === '__name__' ? ref(`${collection}/${random.pick(ids)}`) : anyValue(random, 1),
      ),
    before: random.below(2) === 0,
  });
  const hasCursor = () => orders.length > 0 && random.below(4) === 0;
  return {
    parent,
    structuredQuery: {
      from: [{ collectionId: collection, allDescendants }],
      ...(random.below(4) > 0 ? { where: anyFilter(random) } : {}),
      ...(orders.length > 0 ? { orderBy: orders } : {}),
      ...(hasCursor() ? { startAt: cursor() } : {}),
      ...(hasCursor() ? { endAt: cursor() } : {}),
      ...(random.below(3) === 0 ? { limit: 1 + random.below(4) } : {}),
      ...(random.below(5) === 0 ? { offset: random.below(3) } : {}),
    },
  };
}
