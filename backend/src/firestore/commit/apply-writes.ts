import { isDeepStrictEqual } from 'node:util';
import type { StoredDocument } from '../values/document.ts';
import { FirestoreError, invalidArgument, type Status } from '../firestore-error.ts';
import { createFieldEditor, getField } from '../values/field-path.ts';
import { applyTransform, transformWork } from './transforms.ts';
import type { TimestampValue, Value } from '../values/value.ts';
import { checkDocumentSize, documentWork, measureDocument } from '../values/value-measure.ts';
import type { SetWrite, Write } from './write.ts';

export type Overlay = ReturnType<typeof createOverlay>;

/** The state of documents after the writes of a batch, on top of the stored state. */
export function createOverlay(base: (path: string) => StoredDocument | null) {
  const changed = new Map<string, StoredDocument | null>();
  return {
    get: (path: string) => changed.get(path) ?? (changed.has(path) ? null : base(path)),
    set: (path: string, document: StoredDocument | null) => void changed.set(path, document),
    /** Whether an earlier write of the same batch touched the path. */
    has: (path: string) => changed.has(path),
    /** Returns the paths that this batch touched. */
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
  /** The value of server timestamps. */
  readonly now: TimestampValue;
  readonly toName: (path: string) => string;
  /** The owner that is charged for new documents. */
  readonly owner: string | null;
  /** Called with the work of a step before it is done, in bytes of text; throws when it is too much for one commit. */
  readonly spend: (work: number) => void;
}

/** An error that reveals something about the stored document, mostly a failed precondition. */
export class PreconditionError extends FirestoreError {
  readonly path: string;

  constructor(path: string, status: Status, message: string) {
    super(status, message);
    this.name = 'PreconditionError';
    this.path = path;
  }
}

/**
 * Applies a write of a batch to the overlay.
 *
 * - Writes apply in order, and a later one sees the effects of the earlier ones.
 * - Only the overlay changes, so a failed batch has no effect.
 * - A write that changes nothing keeps the version of the document.
 */
export function applyWrite(write: Write, context: WriteContext): WriteOutcome {
  const before = context.overlay.get(write.path);
  checkPrecondition(write, before, context);
  if (write.kind === 'set') return applySet(write, before, context);
  if (write.kind === 'delete') context.overlay.set(write.path, null);
  return { write, before, after: context.overlay.get(write.path), transformResults: [] };
}

function applySet(
  write: SetWrite,
  before: StoredDocument | null,
  context: WriteContext,
): WriteOutcome {
  const { version, now } = context;
  const editor = createFieldEditor(
    write.mask === null ? write.fields : (before?.fields ?? new Map()),
  );
  // A path in the mask that is absent from the fields removes the field.
  for (const path of write.mask ?? []) editor.set(path, getField(write.fields, path));
  const name = context.toName(write.path);
  const transform = ({ field, operation }: SetWrite['transforms'][number]): Value => {
    const current = getField(editor.fields, field);
    context.spend(transformWork(operation, current));
    const { value, result } = applyTransform(operation, current, now);
    editor.set(field, value);
    return result;
  };
  let transformResults: readonly Value[];
  try {
    transformResults = write.transforms.map(transform);
    const measure = measureDocument(name, editor.fields);
    context.spend(documentWork(measure));
    checkDocumentSize(name, measure);
  } catch (error) {
    // An error about the new size reveals the stored size.
    throw before !== null && error instanceof FirestoreError
      ? new PreconditionError(write.path, error.status, error.message)
      : error;
  }
  const { fields } = editor;
  // This is stricter than comparing as equal: 1 and 1.0 differ.
  const isUnchanged = isDeepStrictEqual(before?.fields, fields);
  const after =
    before !== null && isUnchanged
      ? before
      : {
          path: write.path,
          name,
          fields,
          createVersion: before?.createVersion ?? version,
          updateVersion: version,
          owner: before === null ? context.owner : before.owner,
        };
  context.overlay.set(write.path, after);
  return { write, before, after, transformResults };
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
      throw new PreconditionError(
        path,
        'FAILED_PRECONDITION',
        `the stored version does not match: ${path}`,
      );
    }
    return;
  }
  if (precondition.exists && current === null) {
    if (context.overlay.has(path)) {
      throw invalidArgument('A document is updated after its delete in the same commit.');
    }
    throw new PreconditionError(path, 'NOT_FOUND', `No document to update: ${path}`);
  }
  if (!precondition.exists && current !== null) {
    throw new PreconditionError(path, 'ALREADY_EXISTS', `Document already exists: ${path}`);
  }
}
