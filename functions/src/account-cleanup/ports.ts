/** A query for documents by one field, in a collection or in every collection of that name. */
export interface DocumentQuery {
  readonly collection: string;
  readonly isGroup: boolean;
  /** If absent, every document of the collection. */
  readonly equals?: { readonly field: string; readonly value: string };
}

/**
 * The product's documents, accessed without security rules. Every method is idempotent, and rejects rather than do only
 * a part.
 */
export interface CleanupDocuments {
  /** Marks `sync/{uid}` as closed and keeps its other fields; creates it if the owner never synced. */
  closeSync(uid: string): Promise<void>;
  /** Returns the paths of at most `limit` documents. Deleted documents are not found again. */
  find(query: DocumentQuery, limit: number): Promise<readonly string[]>;
  /** Deletes at most as many documents as one `find` returns. A missing document is no error. */
  delete(paths: readonly string[]): Promise<void>;
}

/** The product's files. */
export interface CleanupFiles {
  /** Returns the names of at most `limit` files that begin with `prefix`. Deleted files are not found again. */
  find(prefix: string, limit: number): Promise<readonly string[]>;
  /** A missing file is no error. */
  delete(names: readonly string[]): Promise<void>;
}

export interface CleanupPorts {
  readonly documents: CleanupDocuments;
  readonly files: CleanupFiles;
}
