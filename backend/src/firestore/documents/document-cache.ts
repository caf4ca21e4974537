import type { StoredDocument } from '../values/document.ts';

export interface CachedDocument {
  readonly document: StoredDocument;
  readonly characters: number;
}

/** Measured: a document of 700 characters takes about 3,000 bytes as fields, keys and values. */
export const bytesPerCharacter = 4;
const overheadBytes = 500;

export type DocumentCache = ReturnType<typeof createDocumentCache>;

/**
 * An LRU cache of the decoded documents of the published version, by path, with a limit in bytes. The size of a document is
 * estimated from the length of its stored text.
 */
export function createDocumentCache(maxBytes: number) {
  /** The entries, the least recently used first. */
  const entries = new Map<string, CachedDocument>();
  /** An iterator at the oldest entry, kept because a new one walks over all deleted slots of the map again. */
  let oldest = entries.keys();
  let total = 0;
  const remove = (path: string) => {
    const entry = entries.get(path);
    if (entry === undefined) return;
    total -= bytesOf(entry);
    entries.delete(path);
  };
  const evict = () => {
    for (;;) {
      if (total <= maxBytes) return;
      const next = oldest.next();
      if (next.done === true) oldest = entries.keys();
      else remove(next.value);
    }
  };
  return {
    delete: remove,
    get(path: string): CachedDocument | undefined {
      const entry = entries.get(path);
      if (entry === undefined) return undefined;
      entries.delete(path);
      entries.set(path, entry);
      return entry;
    },
    set(cached: CachedDocument) {
      remove(cached.document.path);
      entries.set(cached.document.path, cached);
      total += bytesOf(cached);
      evict();
    },
  };
}

const bytesOf = ({ characters }: CachedDocument): number =>
  characters * bytesPerCharacter + overheadBytes;
