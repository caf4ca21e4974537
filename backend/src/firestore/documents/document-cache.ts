import type { StoredDocument } from '../values/document.ts';

/**
 * Decoded documents of the published version, by path: an LRU whose bytes are bounded. A document counts as the text it is
 * stored as, times what decoding makes of it.
 */
export interface DocumentCache {
  get(path: string): StoredDocument | undefined;
  set(document: StoredDocument, textLength: number): void;
  delete(path: string): void;
}

/** Measured: a document of 700 characters takes about 3,000 bytes as fields, keys and values. */
const BYTES_PER_CHARACTER = 4;
const OVERHEAD_BYTES = 500;

export function createDocumentCache(maxBytes: number): DocumentCache {
  /** The least recently used first. */
  const entries = new Map<string, { readonly document: StoredDocument; readonly bytes: number }>();
  let total = 0;
  const remove = (path: string) => {
    total -= entries.get(path)?.bytes ?? 0;
    entries.delete(path);
  };
  return {
    delete: remove,
    get(path) {
      const entry = entries.get(path);
      if (entry === undefined) return undefined;
      entries.delete(path);
      entries.set(path, entry);
      return entry.document;
    },
    set(document, textLength) {
      remove(document.path);
      const bytes = textLength * BYTES_PER_CHARACTER + OVERHEAD_BYTES;
      entries.set(document.path, { document, bytes });
      total += bytes;
      for (const path of entries.keys()) {
        if (total <= maxBytes) break;
        remove(path);
      }
    },
  };
}
