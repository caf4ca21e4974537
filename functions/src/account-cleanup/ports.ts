/** Documents by one field: of a collection, or of every collection of that name. */
export interface DocumentQuery {
  readonly collection: string;
  readonly isGroup: boolean;
  /** Absent: every document of the collection. */
  readonly equals?: { readonly field: string; readonly value: string };
}

/** The product's documents, asked without rules. Every method may be repeated, and fails rather than do a part silently. */
export interface CleanupDocuments {
  /** Marks `sync/{uid}` as closed and keeps the rest of it; makes it if the owner never synced. */
  closeSync(uid: string): Promise<void>;
  /** Paths of at most `limit` documents. What was deleted is not found again. */
  find(query: DocumentQuery, limit: number): Promise<readonly string[]>;
  /** At most as many as one `find` gives. A document that is not there is no error. */
  delete(paths: readonly string[]): Promise<void>;
}

/** The product's files. */
export interface CleanupFiles {
  /** Names of at most `limit` files that begin with `prefix`. What was deleted is not found again. */
  find(prefix: string, limit: number): Promise<readonly string[]>;
  /** A file that is not there is no error. */
  delete(names: readonly string[]): Promise<void>;
}

export interface CleanupPorts {
  readonly documents: CleanupDocuments;
  readonly files: CleanupFiles;
}
