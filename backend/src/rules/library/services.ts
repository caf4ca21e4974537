import { bool, dereferenced, expectKind, nullValue, type RuleValue } from '../rule-value.ts';
import type { Native, Natives } from './native.ts';

/** The known members of a value, with their members; null allows any. */
export type Members = ReadonlyMap<string, Members | null>;

const names = (...each: readonly string[]): Members => new Map(each.map((name) => [name, null]));

/** The functions and variables that a service offers besides the methods of values. */
export interface Library {
  /** The functions by full name, such as `firestore.get`. */
  readonly functions: ReadonlyMap<string, Native>;
  readonly namespaces: ReadonlySet<string>;
  /** The variables `request` and `resource`, with their members. */
  readonly variables: Members;
}

const access = (when: 'before' | 'after', answer: (found: RuleValue) => RuleValue): Native => ({
  arity: 1,
  call: ([target = nullValue], run) =>
    answer(run.access(when, expectKind(dereferenced(target), 'path'))),
});

const getting = (when: 'before' | 'after'): Native => access(when, (found) => found);
const finding = (when: 'before' | 'after'): Native =>
  access(when, (found) => bool(found !== nullValue));

function createLibrary(functions: Natives, request: Members, resource: Members): Library {
  const all = new Map(Object.entries(functions));
  const namespaced = [...all.keys()].filter((each) => each.includes('.'));
  const members = new Map([
    ...names('method', 'path', 'time'),
    ...request,
    ['auth', names('uid', 'token')],
    ['resource', resource],
  ]);
  return {
    functions: all,
    namespaces: new Set(namespaced.map((each) => each.slice(0, each.indexOf('.')))),
    variables: new Map([
      ['request', members],
      ['resource', resource],
    ]),
  };
}

export const libraries = {
  'cloud.firestore': createLibrary(
    {
      get: getting('before'),
      exists: finding('before'),
      getAfter: getting('after'),
      existsAfter: finding('after'),
    },
    new Map([['query', names('limit', 'offset', 'orderBy')]]),
    names('data', 'id', '__name__'),
  ),
  'firebase.storage': createLibrary(
    { 'firestore.get': getting('before'), 'firestore.exists': finding('before') },
    new Map(),
    names(
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
    ),
  ),
} as const;

export type Service = keyof typeof libraries;
