import { bool, dereferenced, expectKind, nullValue, type RuleValue } from '../rule-value.ts';
import type { Native, Natives } from './native.ts';

/** The functions of a service by full name, such as `firestore.get`. */
export type Library = ReadonlyMap<string, Native>;

const access = (when: 'before' | 'after', answer: (found: RuleValue) => RuleValue): Native => ({
  arity: 1,
  call: ([target = nullValue], run) =>
    answer(run.access(when, expectKind(dereferenced(target), 'path'))),
});

const getting = (when: 'before' | 'after'): Native => access(when, (found) => found);
const finding = (when: 'before' | 'after'): Native =>
  access(when, (found) => bool(found !== nullValue));

const createLibrary = (natives: Natives): Library => new Map(Object.entries(natives));

export const libraries = {
  'cloud.firestore': createLibrary({
    get: getting('before'),
    exists: finding('before'),
    getAfter: getting('after'),
    existsAfter: finding('after'),
  }),
  'firebase.storage': createLibrary({
    'firestore.get': getting('before'),
    'firestore.exists': finding('before'),
  }),
} as const;

export type Service = keyof typeof libraries;
