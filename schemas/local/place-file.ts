import type { LocalDocument } from '../documents/document.ts';
import { pictureVersion } from './conflict-version.ts';
import { placeFileJobId, type LocalRecord, type PlaceFileJob } from './local-record.ts';
import type { OutboxJob } from './outbox-job.ts';
import { fileOf } from './remove-file.ts';
import type { FieldValue } from '../documents/sync-state.ts';

type Holder = Pick<LocalDocument, 'collection' | 'id' | 'petId' | 'fields'>;

const fileFields: ReadonlySet<string> = new Set([
  'profilePicturePath',
  'profilePictureVersion',
  'fileLocation',
]);

export function withoutFile<Value>(of: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(of).filter(([name]) => !fileFields.has(name)));
}

/**
 * Returns the job that attaches a file to its document, with its id. It is stored no later than the document without
 * it.
 */
export function placeFile(
  { collection, id: documentId, fields }: Holder,
  sourceId: string,
  chosenAtMs: number,
): [string, PlaceFileJob] {
  const version: FieldValue | undefined = fields['profilePictureVersion'];
  const job: PlaceFileJob = {
    kind: 'place-file',
    collection,
    documentId,
    sourceId,
    objectName: fileOf({ collection, fields }),
    version: typeof version === 'string' ? version : null,
    chosenAtMs,
  };
  return [placeFileJobId(documentId), job];
}

/** Whether the picture that waits was chosen after the one to place. */
export function isChosenLater(waiting: OutboxJob, { chosenAtMs }: PlaceFileJob): boolean {
  return waiting.createdAtMs > chosenAtMs;
}

/**
 * Returns the conflict version of the picture that a dog was to get back, when another one takes its place; none for
 * other records.
 */
export function unplacedPicture(
  record: LocalRecord | null,
  keptAtMs: number,
): readonly ReturnType<typeof pictureVersion>[] {
  if (record?.kind !== 'place-file') return [];
  const { documentId: id, sourceId, objectName, version: md5, chosenAtMs: stampMs } = record;
  // The picture of another dog stays with that one.
  if (sourceId !== id || objectName === null || md5 === null) return [];
  return [pictureVersion({ id }, { objectName, md5, stampMs, side: 'local' }, keptAtMs)];
}

/** Whether the document refers to a file outside of its own folder, which the server's rules refuse. */
export function hasForeignFile(document: Holder): boolean {
  const { id, petId } = document;
  return fileOf(document)?.startsWith(`pets/${petId ?? id}/`) === false;
}
