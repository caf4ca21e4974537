import type { LocalDocument } from '../documents/document.ts';
import { newerSchemaCode } from '../documents/document.ts';
import {
  pullAgainId,
  removeFileJobId,
  type LocalRecord,
  type RemoveFileJob,
} from './local-record.ts';

/**
 * How long the file of a deleted entry stays on the server, in milliseconds, since its owner may undo the deletion.
 */
export const deletedEntryFileKeptMs = 120_000;

/** Returns the name of the file that a document refers to; null without one. */
export function fileOf({ collection, fields }: Pick<LocalDocument, 'collection' | 'fields'>) {
  const name = fields[collection === 'pets' ? 'profilePicturePath' : 'fileLocation'];
  return typeof name === 'string' && name !== '' ? name : null;
}

type FileHolder = Pick<LocalDocument, 'collection' | 'id' | 'fields' | 'seq'>;

/**
 * Returns the removal of a document's file, to be stored no later than the document without it. A document that the
 * server never had has no file there.
 * @param notBeforeMs epoch milliseconds; 0 removes it as soon as the server knows that the document gave it up.
 * @returns none or one, with its id.
 */
export function removalsOf(
  holder: FileHolder,
  notBeforeMs = 0,
): readonly [string, RemoveFileJob][] {
  const objectName = fileOf(holder);
  if (objectName === null || holder.seq === null) return [];
  return [removal(holder, objectName, notBeforeMs)];
}

type Deleted = FileHolder & Pick<LocalDocument, 'pending' | 'code'>;

/**
 * Returns the records of a deletion, to be stored no later than the tombstone: the removal of the file, and, where an
 * edit is parked over a copy of a newer schema, that this copy is to be pulled again, which the tombstone would overwrite
 * unseen.
 */
export function deletionRecords(
  document: Deleted,
  notBeforeMs = 0,
): readonly (readonly [string, LocalRecord])[] {
  const { collection, id, pending, code, seq } = document;
  const isUnseen = pending === 2 && code === newerSchemaCode;
  const again = { kind: 'pull-again', collection, seq: seq ?? 0 } as const;
  const records = removalsOf(document, notBeforeMs);
  return isUnseen ? [...records, [pullAgainId(id), again]] : records;
}

export function removal(
  { collection, id: documentId }: Pick<LocalDocument, 'collection' | 'id'>,
  objectName: string,
  notBeforeMs = 0,
): [string, RemoveFileJob] {
  const job = { kind: 'remove-file', collection, documentId, objectName, notBeforeMs } as const;
  return [removeFileJobId(job), job];
}
