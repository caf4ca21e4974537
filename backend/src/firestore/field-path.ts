import { invalidArgument } from './firestore-error.ts';
import { EMPTY_MAP, type Fields, type Value } from './value.ts';
import { checkFieldName } from './value-codec.ts';

export interface FieldPath {
  readonly segments: readonly string[];
  /** The text it was parsed from, which is the same for equal paths the SDK sends. */
  readonly text: string;
}

export const DOCUMENT_KEY: FieldPath = { segments: ['__name__'], text: '__name__' };

export const isDocumentKey = (path: FieldPath): boolean => path.text === '__name__';

/** Segments are separated by dots; anything but a simple identifier stands between backticks. */
export function parseFieldPath(text: unknown): FieldPath {
  if (typeof text !== 'string') throw invalidArgument('A field path must be a string.');
  if (text === '__name__') return DOCUMENT_KEY;
  const segments: string[] = [];
  const pattern = /(?:`((?:[^`\\]|\\.)+)`|([^.`]+))(\.|$)/suy;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    const isLast = pattern.lastIndex === text.length;
    if (match === null || (isLast && match[3] === '.')) {
      throw invalidArgument('A field path is malformed.');
    }
    segments.push(checkFieldName(match[1]?.replace(/\\(.)/gsu, '$1') ?? match[2] ?? ''));
  }
  if (segments.length === 0) throw invalidArgument('A field path must not be empty.');
  if (segments.length > MAX_FIELD_PATH_SEGMENTS) throw invalidArgument('A field path is too deep.');
  return { segments, text };
}

const MAX_FIELD_PATH_SEGMENTS = 100;

export function getField(fields: Fields, path: FieldPath): Value | undefined {
  let value: Value | undefined;
  let map: Fields | undefined = fields;
  for (const segment of path.segments) {
    value = map?.get(segment);
    map = value?.kind === 'map' ? value.fields : undefined;
  }
  return value;
}

/** A copy with the field set, or removed when `value` is undefined; missing maps are made on the way. */
export function withField(fields: Fields, path: FieldPath, value: Value | undefined): Fields {
  return setIn(fields, path.segments, value);
}

function setIn(fields: Fields, segments: readonly string[], value: Value | undefined): Fields {
  const [name, ...rest] = segments;
  if (name === undefined) return fields;
  const copy = new Map(fields);
  const child = copy.get(name);
  if (rest.length === 0) {
    if (value === undefined) copy.delete(name);
    else copy.set(name, value);
    return copy;
  }
  if (child?.kind !== 'map' && value === undefined) return fields;
  const map = child?.kind === 'map' ? child : EMPTY_MAP;
  copy.set(name, { kind: 'map', fields: setIn(map.fields, rest, value) });
  return copy;
}
