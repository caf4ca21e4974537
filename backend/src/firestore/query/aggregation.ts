import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StoredDocument } from '../values/document.ts';
import { FirestoreError, invalidArgument } from '../firestore-error.ts';
import { getField } from '../values/field-path.ts';
import { decodeFieldReference } from './query-codec.ts';
import { checkFieldName, encodeValue } from '../values/value-codec.ts';
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

const maxAggregations = 5;

/** Aggregates the documents of a query while they are read, and keeps none of them. */
export function createAggregations(json: unknown) {
  if (!Array.isArray(json) || json.length === 0) {
    throw invalidArgument('aggregations must be a non-empty list.');
  }
  if (json.length > maxAggregations) {
    throw invalidArgument(`The maximum number of aggregations allowed is ${maxAggregations}.`);
  }
  let unnamed = 0;
  const aggregations = json
    .map(decodeAggregation)
    .map((each) => (each.alias === '' ? { ...each, alias: `field_${++unnamed}` } : each));
  if (new Set(aggregations.map(({ alias }) => alias)).size < aggregations.length) {
    throw invalidArgument('The aliases of aggregations must be unique.');
  }
  let count = 0;
  return {
    add: (document: StoredDocument) => {
      const values = aggregations.map(({ field }) => field && getField(document.fields, field));
      // Documents that lack a field of a sum or an average are skipped, even by the count.
      if (values.includes(undefined)) return;
      count++;
      for (const [at, value] of values.entries()) aggregations[at]?.sum.add(value);
    },
    result: (): JsonObject =>
      Object.fromEntries(
        aggregations.map(({ alias, result }) => [alias, encodeValue(result(BigInt(count)))]),
      ),
  };
}

/** Decodes an aggregation; `field` is null for the count of documents, and `alias` is empty if there is none. */
function decodeAggregation(json: unknown) {
  if (!isJsonObject(json)) throw invalidArgument('An aggregation must be an object.');
  const { alias = '', count } = json;
  if (typeof alias !== 'string') throw invalidArgument('An alias must be text.');
  if (alias !== '') checkFieldName(alias);
  const sum = createSum();
  if (isJsonObject(count)) {
    if (count['upTo'] === undefined) return { alias, field: null, sum, result: integerValue };
    throw new FirestoreError('UNIMPLEMENTED', 'A count up to a number is not served.');
  }
  for (const kind of ['sum', 'avg'] as const) {
    const operand = json[kind];
    if (!isJsonObject(operand)) continue;
    return { alias, field: decodeFieldReference(operand['field']), sum, result: sum[kind] };
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
    add(value: Value | null | undefined) {
      if (!value || !isNumber(value)) return;
      count++;
      double += Number(value.value);
      if (value.kind === 'integer') whole += value.value;
      else isWhole = false;
    },
    sum,
    avg: (): Value => (count === 0 ? nullValue : doubleValue(Number(sum().value) / count)),
  };
}
