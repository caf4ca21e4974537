import { EvaluationError, LimitError } from './evaluation-error.ts';
import {
  map,
  NULL,
  path,
  text,
  type PathValue,
  type RuleFields,
  type RuleValue,
} from './rule-value.ts';

/** A document as rules see it through get(). */
export interface RuleDocument {
  readonly fields: RuleFields;
}

/** Documents by their path below the database, such as `pets/rex`; null for a missing one. */
export interface DocumentReader {
  get(path: string): RuleDocument | null;
  /** The document after the whole commit. */
  getAfter(path: string): RuleDocument | null;
}

/**
 * Access calls of one request. Repeated paths count once; going beyond a limit denies the whole request.
 * A commit of several writes shares one `batch` budget, and each write has 10 of its own.
 */
export interface AccessBudget {
  spend(key: string): void;
}

export const MAX_ACCESS_CALLS = 10;
export const MAX_BATCH_ACCESS_CALLS = 20;
/** Documents of Firestore that one request of Storage may access. */
export const MAX_STORAGE_ACCESS_CALLS = 2;

export function createAccessBudget(
  limit: number,
  batch?: AccessBudget,
  spent = new Set<string>(),
): AccessBudget {
  return {
    spend(key) {
      spent.add(key);
      if (spent.size > limit) {
        throw new LimitError(`More than ${limit} documents are accessed.`);
      }
      batch?.spend(key);
    },
  };
}

const MAX_EVALUATIONS = 1000;

/** One request being judged. */
export interface Run {
  readonly request: RuleValue;
  readonly resource: RuleValue;
  /** Counts one evaluated expression. */
  step(): void;
  access(when: 'before' | 'after', target: PathValue): RuleValue;
}

type RunOptions = Pick<Run, 'request' | 'resource'> & {
  readonly documents: DocumentReader;
  readonly budget: AccessBudget;
};

export function createRun({ request, resource, documents, budget }: RunOptions): Run {
  let steps = 0;
  return {
    request,
    resource,
    step() {
      steps += 1;
      if (steps > MAX_EVALUATIONS) {
        throw new LimitError(`More than ${MAX_EVALUATIONS} expressions are evaluated.`);
      }
    },
    access(when, target) {
      const key = toDocumentPath(target);
      budget.spend(`${when} ${key}`);
      const document = when === 'before' ? documents.get(key) : documents.getAfter(key);
      return document === null ? NULL : toResource(target, document.fields);
    },
  };
}

/** The value of `resource` for a document. */
export const toResource = (target: PathValue, fields: RuleFields): RuleValue =>
  map(
    new Map<string, RuleValue>([
      ['data', map(fields)],
      ['id', text(target.segments.at(-1) ?? '')],
      ['__name__', target],
    ]),
  );

const ROOT = ['databases', '(default)', 'documents'] as const;

export const documentName = (documentPath: string): PathValue =>
  path([...ROOT, ...documentPath.split('/')]);

function toDocumentPath({ segments }: PathValue): string {
  const rest = segments.slice(ROOT.length);
  const isDocument =
    ROOT.every((each, at) => segments[at] === each) &&
    rest.length > 0 &&
    rest.length % 2 === 0 &&
    rest.every((each) => each !== '' && !each.includes('/'));
  if (!isDocument) throw new EvaluationError('The path is not that of a document.');
  return rest.join('/');
}
