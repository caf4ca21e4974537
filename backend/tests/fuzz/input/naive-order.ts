import type { Json } from './random-documents.ts';

/** Firestore's order of values, written down from its documentation and not from the server, over JSON of the wire. */

const types = [
  ['nullValue'],
  ['booleanValue'],
  ['integerValue', 'doubleValue'],
  ['timestampValue'],
  ['stringValue'],
  ['bytesValue'],
  ['referenceValue'],
  ['geoPointValue'],
  ['arrayValue'],
  ['vector'],
  ['mapValue'],
];

// The generator makes only well-formed values, so what is read of them has the type that it is read as.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion, typescript/no-unnecessary-type-parameters -- as said above
const as = <T>(value: unknown): T => value as T;

interface Items {
  readonly values?: readonly Json[];
}
interface Members {
  readonly fields?: Readonly<Record<string, Json>>;
}

export const membersOf = (value: Json): Readonly<Record<string, Json>> =>
  as<Members>(value['mapValue']).fields ?? {};

export const itemsOf = (value: Json): readonly Json[] =>
  as<Items>(value['arrayValue']).values ?? [];

export const isNull = (value: Json): boolean => 'nullValue' in value;
export const isNaNJson = (value: Json): boolean => value['doubleValue'] === 'NaN';
export const isArray = (value: Json): boolean => 'arrayValue' in value;

/** Returns the position of the type of a value in the order of types. */
export function typeOf(value: Json): number {
  const isVector = 'mapValue' in value && '__type__' in membersOf(value);
  const key = isVector ? 'vector' : (Object.keys(value)[0] ?? '');
  return types.findIndex((keys) => keys.includes(key));
}

export function compareJson(left: Json, right: Json): number {
  const type = typeOf(left);
  if (type !== typeOf(right)) return type - typeOf(right);
  const read = <T>(key: string): [T, T] => [as<T>(left[key]), as<T>(right[key])];
  switch (types[type]?.[0]) {
    case 'booleanValue':
      return order(...read<boolean>('booleanValue'));
    case 'integerValue':
      return compareNumbers(left, right);
    case 'timestampValue':
      return order(...pairOf(read<string>('timestampValue'), nanos));
    case 'stringValue':
      return compareUtf8(...read<string>('stringValue'));
    case 'bytesValue':
      return Buffer.compare(
        ...pairOf(read<string>('bytesValue'), (each) => Buffer.from(each, 'base64')),
      );
    case 'referenceValue':
      return compareNames(...read<string>('referenceValue'));
    case 'geoPointValue':
      return compareLists(...pairOf(read<Record<string, number>>('geoPointValue'), pointOf), order);
    case 'arrayValue':
      return compareLists(itemsOf(left), itemsOf(right), compareJson);
    case 'vector':
      return compareVectors(membersOf(left)['value'] ?? {}, membersOf(right)['value'] ?? {});
    case 'mapValue':
      return compareMembers(membersOf(left), membersOf(right));
    default:
      return 0;
  }
}

const pairOf = <A, B>([left, right]: [A, A], read: (each: A) => B): [B, B] => [
  read(left),
  read(right),
];

const order = <T>(left: T, right: T): number => (left < right ? -1 : Number(left > right));

function compareNumbers(left: Json, right: Json): number {
  if (isNaNJson(left) || isNaNJson(right))
    return Number(isNaNJson(right)) - Number(isNaNJson(left));
  return order(numberOf(left), numberOf(right));
}

/** A bigint and a double compare exactly in JavaScript. */
const numberOf = ({ integerValue, doubleValue }: Json): number | bigint =>
  integerValue === undefined ? Number(doubleValue) : BigInt(as<string>(integerValue));

function nanos(text: string): bigint {
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? '';
  const milliseconds = Date.parse(text.replace(/\.\d+/, ''));
  return BigInt(milliseconds) * 1_000_000n + BigInt(fraction.padEnd(9, '0'));
}

const compareUtf8 = (left: string, right: string): number =>
  Buffer.compare(Buffer.from(left), Buffer.from(right));

const pointOf = ({ latitude = 0, longitude = 0 }: Record<string, number>) => [latitude, longitude];

function compareLists<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
): number {
  for (let at = 0; at < Math.min(left.length, right.length); at++) {
    const [a, b] = [left[at], right[at]];
    const difference = a === undefined || b === undefined ? 0 : compare(a, b);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

function compareVectors(left: Json, right: Json): number {
  const [a, b] = [itemsOf(left), itemsOf(right)];
  return a.length - b.length || compareLists(a, b, compareJson);
}

const sortMembers = (members: Readonly<Record<string, Json>>) =>
  Object.entries(members).toSorted(([a], [b]) => compareUtf8(a, b));

/** Compares members in the order of their names, first by name, then by value. */
const compareMembers = (
  left: Readonly<Record<string, Json>>,
  right: Readonly<Record<string, Json>>,
): number =>
  compareLists(
    sortMembers(left),
    sortMembers(right),
    ([nameA, a], [nameB, b]) => compareUtf8(nameA, nameB) || compareJson(a, b),
  );

/** Compares names by segment; numeric ids come first, in the order of their numbers. A number has several spellings. */
export const compareNames = (left: string, right: string): number =>
  compareLists(left.split('/'), right.split('/'), (a, b) => {
    const [numberA, numberB] = pairOf([a, b], (each) => /^__id(-?\d{1,19})__$/.exec(each)?.[1]);
    if (numberA !== undefined && numberB !== undefined)
      return order(BigInt(numberA), BigInt(numberB)) || compareUtf8(a, b);
    if (numberA !== undefined || numberB !== undefined) return numberA === undefined ? 1 : -1;
    return compareUtf8(a, b);
  });
