import { EvaluationError, LimitError } from './evaluation-error.ts';
import {
  map,
  nullValue,
  path,
  text,
  type PathValue,
  type RuleFields,
  type RuleValue,
} from './rule-value.ts';

/** A document as `get()` returns it to the rules. */
export interface RuleDocument {
  readonly fields: RuleFields;
}

/** Reads documents by their path in the database, such as `pets/rex`; null for a missing one. */
export interface DocumentReader {
  get(path: string): RuleDocument | null;
  /** Returns the document after the whole commit. */
  getAfter(path: string): RuleDocument | null;
}

/** `batch` is a commit or a batch of reads, `storage` a request of Storage that reads Firestore documents. */
const accessLimits = { request: 10, batch: 20, storage: 2 } as const;

/**
 * Creates a limit on document accesses. Repeated paths count once; exceeding a limit denies the whole request.
 * The writes of a commit share one budget, and each write also has its own.
 */
export const accessBudget = (kind: keyof typeof accessLimits, spent = new Set<string>()) => ({
  limit: accessLimits[kind],
  spent,
});

const maxEvaluations = 1000;

export interface RunOptions {
  /** The values of the variables `request` and `resource`. */
  readonly request: RuleValue;
  readonly resource: RuleValue;
  readonly documents: DocumentReader;
  readonly budgets: readonly ReturnType<typeof accessBudget>[];
}

export type Run = ReturnType<typeof createRun>;

/** A built-in function or method; the first argument of a method is the value that it is called on. */
export interface Native {
  readonly arity: number;
  /** Calls it; it may modify the list of arguments. */
  readonly call: (args: RuleValue[], run: Run) => RuleValue;
}

/** The evaluation of one request. */
export function createRun({ request, resource, documents, budgets }: RunOptions) {
  let steps = 0;
  return {
    request,
    resource,
    /** Counts one evaluated expression. */
    step() {
      steps += 1;
      if (steps > maxEvaluations) {
        throw new LimitError(`More than ${maxEvaluations} expressions are evaluated.`);
      }
    },
    access(when: 'before' | 'after', target: PathValue): RuleValue {
      const key = toDocumentPath(target);
      for (const { limit, spent } of budgets) {
        spent.add(`${when} ${key}`);
        if (spent.size > limit) throw new LimitError(`More than ${limit} documents are accessed.`);
      }
      const document = when === 'before' ? documents.get(key) : documents.getAfter(key);
      return document === null ? nullValue : toResource(target, document.fields);
    },
  };
}

/** Returns the value of `resource` for a document. */
export const toResource = (target: PathValue, fields: RuleFields): RuleValue =>
  map(
    new Map<string, RuleValue>([
      ['data', map(fields)],
      ['id', text(target.segments.at(-1) ?? '')],
      ['__name__', target],
    ]),
  );

const root = ['databases', '(default)', 'documents'] as const;

export const documentName = (documentPath: string): PathValue =>
  path([...root, ...documentPath.split('/')]);

function toDocumentPath({ segments }: PathValue): string {
  const rest = segments.slice(root.length);
  const isDocument =
    root.every((each, at) => segments[at] === each) &&
    rest.length > 0 &&
    rest.length % 2 === 0 &&
    rest.every((each) => each !== '' && !each.includes('/'));
  if (!isDocument) throw new EvaluationError('The path is not that of a document.');
  return rest.join('/');
}
