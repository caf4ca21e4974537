import { EvaluationError } from '../evaluation-error.ts';
import type { Arguments } from '../methods/method.ts';
import { bool, NULL, referenceToPath, typeName, type PathValue } from '../rule-value.ts';
import type { Builtin, Builtins } from './builtin.ts';
import { CONVERSIONS } from './conversions.ts';
import { HASHING_FUNCTIONS } from './hashing-functions.ts';
import { MATH_FUNCTIONS, numberAt } from './math-functions.ts';
import { DURATION_FUNCTIONS, TIMESTAMP_FUNCTIONS } from './time-functions.ts';

function pathAt(args: Arguments): PathValue {
  const value = args.at(0);
  if (value.kind === 'path') return value;
  if (value.kind === 'reference') return referenceToPath(value.name);
  throw new EvaluationError(`A value of type path is needed, not ${typeName(value)}.`);
}

const getting = (when: 'before' | 'after'): Builtin => ({
  arity: 1,
  call: (args, run) => run.access(when, pathAt(args)),
});

const finding = (when: 'before' | 'after'): Builtin => ({
  arity: 1,
  call: (args, run) => bool(run.access(when, pathAt(args)) !== NULL),
});

const LATLNG_FUNCTIONS: Builtins = {
  value: {
    arity: 2,
    call(args) {
      const [latitude, longitude] = [numberAt(args, 0), numberAt(args, 1)];
      if (!(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180)) {
        throw new EvaluationError('There is no such place.');
      }
      return { kind: 'geo', latitude, longitude };
    },
  },
};

const toMap = (builtins: Builtins): ReadonlyMap<string, Builtin> =>
  new Map(Object.entries(builtins));

const COMMON_NAMESPACES: readonly (readonly [string, ReadonlyMap<string, Builtin>])[] = [
  ['math', toMap(MATH_FUNCTIONS)],
  ['timestamp', toMap(TIMESTAMP_FUNCTIONS)],
  ['duration', toMap(DURATION_FUNCTIONS)],
  ['hashing', toMap(HASHING_FUNCTIONS)],
  ['latlng', toMap(LATLNG_FUNCTIONS)],
];

/** What a service offers besides the methods of values. */
export interface Library {
  readonly functions: ReadonlyMap<string, Builtin>;
  readonly namespaces: ReadonlyMap<string, ReadonlyMap<string, Builtin>>;
  readonly requestMembers: ReadonlySet<string>;
  readonly resourceMembers: ReadonlySet<string>;
}

const READING: Builtins = { get: getting('before'), exists: finding('before') };

const FIRESTORE: Library = {
  functions: toMap({
    ...CONVERSIONS,
    ...READING,
    getAfter: getting('after'),
    existsAfter: finding('after'),
  }),
  namespaces: new Map(COMMON_NAMESPACES),
  requestMembers: new Set(['auth', 'method', 'path', 'query', 'resource', 'time']),
  resourceMembers: new Set(['data', 'id', '__name__']),
};

const STORAGE: Library = {
  functions: toMap(CONVERSIONS),
  namespaces: new Map([...COMMON_NAMESPACES, ['firestore', toMap(READING)]]),
  requestMembers: new Set(['auth', 'method', 'path', 'resource', 'time']),
  resourceMembers: new Set([
    'name',
    'bucket',
    'generation',
    'metageneration',
    'size',
    'timeCreated',
    'updated',
    'md5Hash',
    'crc32c',
    'etag',
    'contentDisposition',
    'contentEncoding',
    'contentLanguage',
    'contentType',
    'cacheControl',
    'metadata',
  ]),
};

export const LIBRARIES = { 'cloud.firestore': FIRESTORE, 'firebase.storage': STORAGE } as const;
export type Service = keyof typeof LIBRARIES;
