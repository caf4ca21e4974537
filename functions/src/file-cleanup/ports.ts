/** A file of the bucket, as it was when it was listed. */
export interface StoredFile {
  readonly name: string;
  /** Changes with every upload. */
  readonly generation: number | string;
  /** Changes with every change of the metadata. */
  readonly metageneration: number | string;
  /** Epoch milliseconds. */
  readonly uploadedAtMs: number;
  /** The time since which no document refers to it, by its mark, in epoch milliseconds; null without a mark. */
  readonly unreferredSinceMs: number | null;
}

export interface FilePage {
  readonly files: readonly StoredFile[];
  /** The last name of this page; null on the last page. */
  readonly next: string | null;
}

export interface FilePageQuery {
  readonly prefix: string;
  readonly limit: number;
  /** The `next` of the previous page, also days later and if that file is gone; null for the first page. */
  readonly after: string | null;
}

/** The product's files, accessed without security rules. Every method is idempotent. */
export interface MarkedFiles {
  /** Lists the files with a greater name than `after`, in the order of names. */
  list(query: FilePageQuery): Promise<FilePage>;
  /**
   * Writes or removes the mark, and keeps contents, generation and the other metadata. It does nothing to a file that
   * was replaced, changed or deleted since it was listed.
   * @param sinceMs epoch milliseconds; null removes the mark. @returns whether it was done.
   */
  mark(file: StoredFile, sinceMs: number | null): Promise<boolean>;
  /**
   * Deletes the file, unless it was replaced, changed or deleted since it was listed. @returns whether it was deleted.
   */
  delete(file: StoredFile): Promise<boolean>;
}

export type DocumentFields = Readonly<Record<string, unknown>>;

/** The product's documents, accessed without security rules. Every method rejects rather than omit a document. */
export interface FileHolders {
  /** Returns the existing pets by id, tombstones included. At most 30 ids. */
  readPets(petIds: readonly string[]): Promise<ReadonlyMap<string, DocumentFields>>;
  /**
   * Yields the entries of all pets, tombstones included, whose `fileLocation` is one of at most 30 names: many and large
   * ones may name the same file, and only a part of them is in memory.
   */
  findEntries(fileNames: readonly string[]): AsyncIterable<DocumentFields>;
}

export interface FileCleanupPorts {
  readonly files: MarkedFiles;
  readonly holders: FileHolders;
  /** Epoch milliseconds. */
  now(): number;
  /** Called for each file that failed, before the clean-up continues with the others. */
  onFailure(fileName: string, error: unknown): void;
}
