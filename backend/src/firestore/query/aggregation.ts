import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StoredDocument } from '../values/document.ts';
import { FirestoreError, invalidArgument } from '../firestore-error.ts';
import { getField, type FieldPath } from '../values/field-path.ts';
import { decodeFieldReference } from './query-codec.ts';
import { encodeValue } from '../values/value-codec.ts';
import {
  nullValue,
  doubleValue,
  integerValue,
  isNumber,
  maxInt64,
  minInt64,
  type NumberValue,
  type Value,
} from '../values/value.ts';

type Aggregation =
  | { readonly kind: 'count'; readonly alias: string }
  | { readonly kind: 'sum' | 'avg'; readonly alias: string; readonly field: FieldPath };

const maxAggregations = 5;

/** Aggregates the documents of a query while they are read, and keeps none of them. */
export function createAggregations(json: unknown) {
  if (!Array.isArray(json) || json.length === 0) {
    throw invalidArgument('aggregations must be a non-empty list.');
  }
  if (json.length > maxAggregations) {
    throw invalidArgument(`The maximum number of aggregations allowed is ${maxAggregations}.`);
  }
  const computed = json.map(decodeAggregation);
  const sums = computed.map(() => createSum());
  /** The fields of sums and averages. Documents that lack one of them are skipped, even by the count. */
  const fields = computed.flatMap((each) => (each.kind === 'count' ? [] : each.field));
  let count = 0;
  return {
    add: (document: StoredDocument) => {
      if (fields.some((field) => getField(document.fields, field) === undefined)) return;
      count++;
      for (const [at, each] of computed.entries()) {
        if (each.kind !== 'count') sums[at]?.add(getField(document.fields, each.field));
      }
    },
    result: (): JsonObject =>
      Object.fromEntries(
        computed.map((each, at) => {
          const value =
            each.kind === 'count'
              ? integerValue(BigInt(count))
              : (sums[at]?.[each.kind]() ?? nullValue);
          return [each.alias, encodeValue(value)];
        }),
      ),
  };
}

function decodeAggregation(json: unknown): Aggregation {
  if (!isJsonObject(json)) throw invalidArgument('An aggregation must be an object.');
  const alias = typeof json['alias'] === 'string' ? json['alias'] : '';
  const { count } = json;
  if (isJsonObject(count)) {
    if (count['upTo'] === undefined) return { kind: 'count', alias };
    throw new FirestoreError('UNIMPLEMENTED', 'A count up to a number is not served.');
  }
  for (const kind of ['sum', 'avg'] as const) {
    const operand = json[kind];
    if (isJsonObject(operand))
      return { kind, alias, field: decodeFieldReference(operand['field']) };
  }
  throw invalidArgument('An aggregation is unknown.');
}

function createSum() {
  let count = 0;
  let whole = 0n;
  let double = 0;
  let isWhole = true;
  /** Returns an integer if all values are integers and the sum fits int64, and a double otherwise. */
  const sum = (): NumberValue =>
    isWhole && whole <= maxInt64 && whole >= minInt64 ? integerValue(whole) : doubleValue(double);
  return {
    add(value: Value | undefined) {
      if (!isNumber(value)) return;
      count++;
      double += Number(value.value);
      if (value.kind === 'integer') whole += value.value;
      else isWhole = false;
    },
    sum,
    avg: (): Value => (count === 0 ? nullValue : doubleValue(Number(sum().value) / count)),
  };
}
