import { bool, dereferenced, expectKind, nullValue, type RuleValue } from '../rule-value.ts';
import type { Native } from '../run.ts';

/** The functions of a service by full name, such as `firestore.get`. */
export type Library = ReadonlyMap<string, Native>;

const access = (when: 'before' | 'after', answer = (found: RuleValue) => found): Native => ({
  arity: 1,
  call: ([target = nullValue], run) =>
    answer(run.access(when, expectKind(dereferenced(target), 'path'))),
});

const isThere = (found: RuleValue) => bool(found !== nullValue);

export const libraries = {
  'cloud.firestore': new Map([
    ['get', access('before')],
    ['exists', access('before', isThere)],
    ['getAfter', access('after')],
    ['existsAfter', access('after', isThere)],
  ]),
  'firebase.storage': new Map([
    ['firestore.get', access('before')],
    ['firestore.exists', access('before', isThere)],
  ]),
} as const;

export type Service = keyof typeof libraries;
