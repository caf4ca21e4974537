import { newDocumentId } from '../../schemas/documents/document-id.ts';

/** Returns a new id for a document or this installation. */
export function newId(): string {
  return newDocumentId((length) => crypto.getRandomValues(new Uint8Array(length)));
}
