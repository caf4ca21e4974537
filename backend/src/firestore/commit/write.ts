import { isJsonObject, type JsonObject } from '../../json.ts';
import { commitSliceMs, createSliceMeter, type Steps } from '../../limits/slices.ts';
import { invalidArgument } from '../firestore-error.ts';
import { isDocumentKey, parseFieldPath, type FieldPath } from '../values/field-path.ts';
import type { DatabaseNames } from '../values/resource-path.ts';
import { parseTimestamp, timestampToMicros } from '../values/timestamp.ts';
import { decodeFields, decodeValue } from '../values/value-codec.ts';
import { maxDocumentValues } from '../values/value-measure.ts';
import { isNumber, type Fields, type NumberValue, type Value } from '../values/value.ts';

type Precondition =
  | { readonly kind: 'exists'; readonly exists: boolean }
  | { readonly kind: 'version'; readonly version: number };

export type TransformOperation =
  | { readonly kind: 'requestTime' }
  | { readonly kind: 'increment'; readonly operand: NumberValue }
  | { readonly kind: 'maximum' | 'minimum'; readonly operand: NumberValue }
  | { readonly kind: 'union' | 'remove'; readonly values: readonly Value[] };

interface FieldTransform {
  readonly field: FieldPath;
  readonly operation: TransformOperation;
}

export interface SetWrite {
  readonly kind: 'set';
  readonly path: string;
  readonly fields: Fields;
  /** The fields to change; null replaces the document. */
  readonly mask: readonly FieldPath[] | null;
  readonly transforms: readonly FieldTransform[];
  readonly precondition: Precondition | null;
}

interface BareWrite {
  readonly kind: 'delete' | 'verify';
  readonly path: string;
  readonly precondition: Precondition | null;
}

export type Write = SetWrite | BareWrite;

/** The rules are evaluated for each write, which takes some 300 microseconds if they are long. */
const maxWrites = 2000;
/**
 * The field paths in the masks of all writes: some 2 microseconds each, or for every ten characters. A transform counts as
 * four at least.
 */
const maxMaskPaths = 100_000;
const charactersPerPath = 10;
const pathsPerTransform = 4;
const maxTransforms = 500;

interface DecodingDeps {
  readonly names: DatabaseNames;
  readonly elapsedMs: () => number;
}

/** Decodes a list of writes in slices. @throws {FirestoreError} INVALID_ARGUMENT when it is malformed. */
export function* decodeWrites(
  json: unknown,
  { names, elapsedMs }: DecodingDeps,
): Steps<readonly Write[]> {
  if (json === undefined) return [];
  if (!Array.isArray(json)) throw invalidArgument('writes must be a list.');
  if (json.length > maxWrites) {
    throw invalidArgument(`maximum ${maxWrites} writes allowed per request`);
  }
  if (json.reduce((sum: number, each) => sum + countPaths(each), 0) > maxMaskPaths) {
    throw invalidArgument(`maximum ${maxMaskPaths} field paths allowed per request`);
  }
  const writes: Write[] = [];
  const isSliceOver = createSliceMeter(elapsedMs, commitSliceMs);
  for (const each of json) {
    writes.push(decodeWrite(each, names));
    while (isSliceOver()) yield undefined;
  }
  return writes;
}

const listOf = (json: unknown): readonly unknown[] => (Array.isArray(json) ? json : []);

/** Counts the field paths of a write that is not decoded yet. */
function countPaths(json: unknown): number {
  const { updateMask, updateTransforms } = isJsonObject(json) ? json : {};
  const { fieldPaths } = isJsonObject(updateMask) ? updateMask : {};
  let count = 0;
  const add = (path: unknown, least: number) => {
    const { length } = typeof path === 'string' ? path : '';
    count += Math.max(least, length / charactersPerPath);
  };
  for (const each of listOf(fieldPaths)) add(each, 1);
  for (const each of listOf(updateTransforms)) {
    add(isJsonObject(each) ? each['fieldPath'] : '', pathsPerTransform);
  }
  return count;
}

function decodeWrite(json: unknown, names: DatabaseNames): Write {
  if (!isJsonObject(json)) throw invalidArgument('A write must be an object.');
  const precondition = decodePrecondition(json['currentDocument']);
  if (json['update'] !== undefined) return decodeSet(json, names, precondition);
  for (const kind of ['delete', 'verify'] as const) {
    const name = json[kind];
    if (name !== undefined) return { kind, path: names.toDocumentPath(name), precondition };
  }
  throw invalidArgument('A write must be an update, a delete or a verify.');
}

function decodeSet(
  json: JsonObject,
  names: DatabaseNames,
  precondition: Precondition | null,
): SetWrite {
  const update = json['update'];
  if (!isJsonObject(update)) throw invalidArgument('update must be a document.');
  const path = names.toDocumentPath(update['name']);
  const fields = decodeFields(update['fields'], maxDocumentValues);
  for (const value of fields.values()) rejectNestedArrays(value);
  return {
    kind: 'set',
    path,
    fields,
    mask: decodeMask(json['updateMask']),
    transforms: decodeTransforms(json['updateTransforms']),
    precondition,
  };
}

function rejectNestedArrays(value: Value, isInArray = false): void {
  if (value.kind === 'array') {
    if (isInArray) throw invalidArgument('Cannot convert an array value in an array value.');
    for (const each of value.values) rejectNestedArrays(each, true);
  }
  if (value.kind === 'map') {
    for (const each of value.fields.values()) rejectNestedArrays(each);
  }
}

function decodePrecondition(json: unknown): Precondition | null {
  if (json === undefined) return null;
  if (!isJsonObject(json)) throw invalidArgument('currentDocument must be an object.');
  const { exists, updateTime } = json;
  if (typeof exists === 'boolean') return { kind: 'exists', exists };
  const timestamp = typeof updateTime === 'string' ? parseTimestamp(updateTime) : undefined;
  if (timestamp === undefined) {
    throw invalidArgument('currentDocument must have exists or updateTime.');
  }
  return { kind: 'version', version: timestampToMicros(timestamp) };
}

function decodeMask(json: unknown): readonly FieldPath[] | null {
  if (json === undefined) return null;
  if (!isJsonObject(json)) throw invalidArgument('updateMask must be an object.');
  const { fieldPaths = [] } = json;
  if (!Array.isArray(fieldPaths)) throw invalidArgument('updateMask.fieldPaths must be a list.');
  return fieldPaths.map(parseFieldPath);
}

function decodeTransforms(json: unknown): readonly FieldTransform[] {
  if (json === undefined) return [];
  if (!Array.isArray(json)) throw invalidArgument('updateTransforms must be a list.');
  if (json.length > maxTransforms) {
    throw invalidArgument(`A document can have at most ${maxTransforms} field transformations.`);
  }
  const transforms = json.map((each: unknown) => {
    if (!isJsonObject(each)) throw invalidArgument('A transform must be an object.');
    const field = parseFieldPath(each['fieldPath']);
    if (isDocumentKey(field))
      throw invalidArgument('The name of a document cannot be transformed.');
    return { field, operation: decodeOperation(each) };
  });
  checkArrayTransforms(transforms);
  return transforms;
}

/** Each transform takes time linear in its list, so many of one long list would block the server for all clients. */
function checkArrayTransforms(transforms: readonly FieldTransform[]): void {
  const lists = transforms.filter(
    ({ operation: { kind } }) => kind === 'union' || kind === 'remove',
  );
  const names = new Set(lists.map(({ field }) => JSON.stringify(field.segments)));
  if (names.size < lists.length) {
    throw invalidArgument('A field can have one transformation of its elements in a write.');
  }
}

function decodeOperation(json: JsonObject): TransformOperation {
  if (json['setToServerValue'] === 'REQUEST_TIME') return { kind: 'requestTime' };
  for (const kind of ['increment', 'maximum', 'minimum'] as const) {
    if (json[kind] === undefined) continue;
    const operand = decodeValue(json[kind]);
    if (!isNumber(operand)) throw invalidArgument(`${kind} requires a number.`);
    return { kind, operand };
  }
  if (json['appendMissingElements'] !== undefined) {
    return { kind: 'union', values: decodeElements(json['appendMissingElements']) };
  }
  if (json['removeAllFromArray'] !== undefined) {
    return { kind: 'remove', values: decodeElements(json['removeAllFromArray']) };
  }
  throw invalidArgument('A transform is unknown.');
}

function decodeElements(json: unknown): readonly Value[] {
  const array = decodeValue({ arrayValue: json });
  rejectNestedArrays(array);
  return array.kind === 'array' ? array.values : [];
}
