import { isJsonObject, type JsonObject } from '../../json.ts';
import type { StoredDocument } from '../values/document.ts';
import { invalidArgument } from '../firestore-error.ts';
import { getField, parseFieldPath, type FieldPath } from '../values/field-path.ts';
import { encodeValue } from '../values/value-codec.ts';
import {
  NULL,
  doubleValue,
  integerValue,
  isNumber,
  type NumberValue,
  type Value,
} from '../values/value.ts';

export type Aggregation =
  | { readonly kind: 'count'; readonly alias: string; readonly upTo: number }
  | { readonly kind: 'sum' | 'avg'; readonly alias: string; readonly field: FieldPath };

const MAX_AGGREGATIONS = 5;

export function decodeAggregations(json: unknown): readonly Aggregation[] {
  if (!Array.isArray(json) || json.length === 0) {
    throw invalidArgument('aggregations must be a non-empty list.');
  }
  if (json.length > MAX_AGGREGATIONS) {
    throw invalidArgument(`The maximum number of aggregations allowed is ${MAX_AGGREGATIONS}.`);
  }
  return json.map(decodeAggregation);
}

function decodeAggregation(json: unknown): Aggregation {
  if (!isJsonObject(json)) throw invalidArgument('An aggregation must be an object.');
  const alias = typeof json['alias'] === 'string' ? json['alias'] : '';
  const { count } = json;
  if (isJsonObject(count)) {
    return { kind: 'count', alias, upTo: decodeUpTo(count['upTo']) };
  }
  for (const kind of ['sum', 'avg'] as const) {
    const operand = json[kind];
    if (isJsonObject(operand)) return { kind, alias, field: decodeField(operand['field']) };
  }
  throw invalidArgument('An aggregation is unknown.');
}

/** A positive integer of 64 bits, which JSON has as text, plain or wrapped as `{"value": n}`. */
function decodeUpTo(json: unknown): number {
  if (json === undefined) return Infinity;
  const upTo = isJsonObject(json) ? json['value'] : json;
  const text = typeof upTo === 'number' ? String(upTo) : upTo;
  if (typeof text !== 'string' || !/^[1-9]\d{0,18}$/.test(text))
    throw invalidArgument('upTo must be a positive integer.');
  return Number(text);
}

const decodeField = (json: unknown): FieldPath =>
  parseFieldPath(isJsonObject(json) ? json['fieldPath'] : undefined);

/** Only documents that have every aggregated field count, for the count too. */
export function aggregate(
  aggregations: readonly Aggregation[],
  documents: readonly StoredDocument[],
): JsonObject {
  const fields = aggregations.flatMap((each) => (each.kind === 'count' ? [] : each.field));
  const counted = documents.filter((document) =>
    fields.every((field) => getField(document.fields, field) !== undefined),
  );
  return Object.fromEntries(
    aggregations.map((each) => [each.alias, encodeValue(compute(each, counted))]),
  );
}

function compute(aggregation: Aggregation, documents: readonly StoredDocument[]): Value {
  if (aggregation.kind === 'count') {
    return integerValue(BigInt(Math.min(documents.length, aggregation.upTo)));
  }
  const numbers = documents
    .map((document) => getField(document.fields, aggregation.field))
    .filter(isNumber);
  if (aggregation.kind === 'sum') return sum(numbers);
  return numbers.length === 0 ? NULL : doubleValue(Number(sum(numbers).value) / numbers.length);
}

const MAX_INT64 = 2n ** 63n - 1n;

/** An integer while all are integers and the sum fits int64, else a double. */
function sum(numbers: readonly NumberValue[]): NumberValue {
  let whole = 0n;
  let isWhole = true;
  for (const each of numbers) {
    if (each.kind === 'integer') whole += each.value;
    else isWhole = false;
  }
  if (isWhole && whole <= MAX_INT64 && whole >= -MAX_INT64 - 1n) return integerValue(whole);
  return doubleValue(numbers.reduce((total, each) => total + Number(each.value), 0));
}
