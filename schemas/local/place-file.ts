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

/** The job that brings a file to its document, with its id. To be stored before the document is stored without it. */
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

/** The server's rules take the path of a document's own folder, and no other. */
export function hasForeignFile(document: Holder): boolean {
  const { id, petId } = document;
  return fileOf(document)?.startsWith(`pets/${petId ?? id}/`) === false;
}
