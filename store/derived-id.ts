import { derivedDocumentId } from '../schemas/documents/document-id.ts';

/** Returns the id of the one document that may be derived from another. */
export async function derivedId(sourceId: string): Promise<string> {
  return derivedDocumentId(
    await crypto.subtle.digest('SHA-256', new TextEncoder().encode(sourceId)),
  );
}
