import type { StoredDocument } from './document.ts';
import { FirestoreError, invalidArgument } from './firestore-error.ts';
import { getField, withField } from './field-path.ts';
import { requestTime } from './timestamp.ts';
import { applyTransform } from './transforms.ts';
import type { Fields, Value } from './value.ts';
import { checkNesting } from './value-codec.ts';
import { areIdenticalFields, checkDocumentSize } from './value-measure.ts';
import type { SetWrite, Write } from './write.ts';

/**
 * - Writes apply in order; a later one sees what an earlier one did.
 * - Nothing outside the overlay changes: a failed batch leaves no trace.
 * - A write that changes nothing keeps the document's version.
 */
export interface Overlay {
  readonly get: (path: string) => StoredDocument | null;
  set(path: string, document: StoredDocument | null): void;
  /** Whether an earlier write of the same batch touched the path. */
  has(path: string): boolean;
  /** Paths this batch touched. */
  paths(): Iterable<string>;
}

export function createOverlay(base: (path: string) => StoredDocument | null): Overlay {
  const changed = new Map<string, StoredDocument | null>();
  return {
    get: (path) => changed.get(path) ?? (changed.has(path) ? null : base(path)),
    set: (path, document) => void changed.set(path, document),
    has: (path) => changed.has(path),
    paths: () => changed.keys(),
  };
}

export interface WriteOutcome {
  readonly write: Write;
  readonly before: StoredDocument | null;
  readonly after: StoredDocument | null;
  readonly transformResults: readonly Value[];
}

export interface WriteContext {
  readonly overlay: Overlay;
  readonly version: number;
  readonly toName: (path: string) => string;
}

/** A failed precondition, with the path it failed on. */
export class PreconditionError extends FirestoreError {
  readonly path: string;

  constructor(path: string, error: FirestoreError) {
    super(error.status, error.message);
    this.name = 'PreconditionError';
    this.path = path;
  }
}

export function applyWrite(write: Write, context: WriteContext): WriteOutcome {
  const before = context.overlay.get(write.path);
  checkPrecondition(write, before, context);
  if (write.kind === 'verify') return { write, before, after: before, transformResults: [] };
  if (write.kind === 'delete') {
    context.overlay.set(write.path, null);
    return { write, before, after: null, transformResults: [] };
  }
  return applySet(write, before, context);
}

function applySet(
  write: SetWrite,
  before: StoredDocument | null,
  context: WriteContext,
): WriteOutcome {
  const updated = updatedFields(write, before?.fields ?? new Map<string, Value>());
  const { fields, results } = transformedFields(write, updated, context.version);
  const after =
    before !== null && areIdenticalFields(before.fields, fields)
      ? before
      : createDocument(write.path, { before, fields }, context);
  context.overlay.set(write.path, after);
  return { write, before, after, transformResults: results };
}

function createDocument(
  path: string,
  content: { before: StoredDocument | null; fields: Fields },
  context: WriteContext,
): StoredDocument {
  const name = context.toName(path);
  checkNesting(content.fields);
  checkDocumentSize(name, content.fields);
  return {
    path,
    name,
    fields: content.fields,
    createVersion: content.before?.createVersion ?? context.version,
    updateVersion: context.version,
  };
}

/** A path in the mask that is absent from the fields removes the field. */
function updatedFields(write: SetWrite, current: Fields): Fields {
  if (write.mask === null) return write.fields;
  return write.mask.reduce(
    (fields, path) => withField(fields, path, getField(write.fields, path)),
    current,
  );
}

function transformedFields(
  write: SetWrite,
  start: Fields,
  version: number,
): { fields: Fields; results: readonly Value[] } {
  const now = requestTime(version);
  const results: Value[] = [];
  let fields = start;
  for (const { field, operation } of write.transforms) {
    const outcome = applyTransform(operation, getField(fields, field), now);
    fields = withField(fields, field, outcome.value);
    results.push(outcome.result);
  }
  return { fields, results };
}

function checkPrecondition(
  write: Write,
  current: StoredDocument | null,
  context: WriteContext,
): void {
  const { precondition, path } = write;
  if (precondition === null) return;
  if (precondition.kind === 'version') {
    if (current?.updateVersion !== precondition.version) {
      throw failed(path, 'FAILED_PRECONDITION', 'the stored version does not match');
    }
    return;
  }
  if (precondition.exists && current === null) {
    if (context.overlay.has(path)) {
      throw invalidArgument('A document is updated after its delete in the same commit.');
    }
    throw failed(path, 'NOT_FOUND', 'No document to update');
  }
  if (!precondition.exists && current !== null) {
    throw failed(path, 'ALREADY_EXISTS', 'Document already exists');
  }
}

const failed = (
  path: string,
  status: 'FAILED_PRECONDITION' | 'NOT_FOUND' | 'ALREADY_EXISTS',
  message: string,
) => new PreconditionError(path, new FirestoreError(status, `${message}: ${path}`));
