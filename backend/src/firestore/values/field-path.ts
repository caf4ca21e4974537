import { invalidArgument } from '../firestore-error.ts';
import type { Fields, Value } from './value.ts';
import { maxNameBytes } from './resource-path.ts';
import { checkFieldName } from './value-codec.ts';

export interface FieldPath {
  readonly segments: readonly string[];
  /** The text in the form of the SDK, which is the same for equal paths. */
  readonly text: string;
}

export const documentKeyPath: FieldPath = { segments: ['__name__'], text: '__name__' };

export const isDocumentKey = (path: FieldPath): boolean => path.text === '__name__';

/** Parses a path: segments are separated by dots, and those that are no simple identifiers are in backticks. */
export function parseFieldPath(text: unknown): FieldPath {
  if (typeof text !== 'string') throw invalidArgument('A field path must be a string.');
  if (text === '__name__') return documentKeyPath;
  // The stack of the regular expression overflows at some megabytes.
  if (text.length > maxNameBytes) throw invalidArgument('A field path is too long.');
  const segments: string[] = [];
  const pattern = /(?:`((?:[^`\\]|\\.)+)`|([^.`]+))(\.|$)/suy;
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text);
    const isLast = pattern.lastIndex === text.length;
    if (match === null || (isLast && match[3] === '.')) {
      throw invalidArgument('A field path is malformed.');
    }
    if (segments.length === maxFieldPathSegments)
      throw invalidArgument('A field path is too deep.');
    segments.push(checkFieldName(match[1]?.replace(/\\(.)/gsu, '$1') ?? match[2] ?? ''));
  }
  if (segments.length === 0) throw invalidArgument('A field path must not be empty.');
  return { segments, text: segments.map(toText).join('.') };
}

const toText = (segment: string): string =>
  /^[A-Za-z_]\w*$/.test(segment) ? segment : `\`${segment.replaceAll(/[`\\]/g, '\\$&')}\``;

const maxFieldPathSegments = 100;

export function getField(fields: Fields, path: FieldPath): Value | undefined {
  let value: Value | undefined;
  let map: Fields | undefined = fields;
  for (const segment of path.segments) {
    value = map?.get(segment);
    map = value?.kind === 'map' ? value.fields : undefined;
  }
  return value;
}

/**
 * A copy of fields in which fields are set or removed (undefined); missing maps are created. Each map is copied once,
 * however many of its fields are set.
 */
export function createFieldEditor(start: Fields) {
  const copies = new Map<Fields, Map<string, Value>>();
  const ownCopy = (fields: Fields): Map<string, Value> => {
    const own = copies.get(fields) ?? new Map(fields);
    copies.set(own, own);
    return own;
  };
  const root = ownCopy(start);
  return {
    fields: root,
    set({ segments }: FieldPath, value: Value | undefined) {
      let map = root;
      for (const segment of segments.slice(0, -1)) {
        const child = map.get(segment);
        if (child?.kind !== 'map' && value === undefined) return;
        const own = ownCopy(child?.kind === 'map' ? child.fields : new Map());
        map.set(segment, { kind: 'map', fields: own });
        map = own;
      }
      const name = segments.at(-1) ?? '';
      if (value === undefined) map.delete(name);
      else map.set(name, value);
    },
  };
}
