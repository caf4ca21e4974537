import type { LocalDocument } from '../documents/document.ts';
import { placeFileJobId, type PlaceFileJob } from './local-record.ts';
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

/** Whether the document refers to a file outside of its own folder, which the server's rules refuse. */
export function hasForeignFile(document: Holder): boolean {
  const { id, petId } = document;
  return fileOf(document)?.startsWith(`pets/${petId ?? id}/`) === false;
}
