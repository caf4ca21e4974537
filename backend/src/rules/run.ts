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
 * The documents that may be accessed. Repeated paths count once; going beyond a limit denies the whole request.
 * A commit of several writes shares one budget, and each write has one of its own.
 */
export interface AccessBudget {
  readonly limit: number;
  readonly spent: Set<string>;
}

/** `batch` is a commit or a batch of reads, `storage` a request of Storage that asks Firestore. */
const ACCESS_LIMITS = { request: 10, batch: 20, storage: 2 } as const;

export const accessBudget = (
  kind: keyof typeof ACCESS_LIMITS,
  spent = new Set<string>(),
): AccessBudget => ({ limit: ACCESS_LIMITS[kind], spent });

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
  readonly budgets: readonly AccessBudget[];
};

export function createRun({ request, resource, documents, budgets }: RunOptions): Run {
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
      for (const { limit, spent } of budgets) {
        spent.add(`${when} ${key}`);
        if (spent.size > limit) throw new LimitError(`More than ${limit} documents are accessed.`);
      }
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
