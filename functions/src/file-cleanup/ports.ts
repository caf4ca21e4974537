/** A file of the bucket, as it was when it was listed. */
export interface StoredFile {
  readonly name: string;
  /** Changes with every upload. */
  readonly generation: number | string;
  /** Changes with every change of the metadata. */
  readonly metageneration: number | string;
  /** Epoch milliseconds. */
  readonly uploadedAtMs: number;
  /** Since when no document refers to it, as its mark says, in epoch milliseconds; null without a mark. */
  readonly unreferredSinceMs: number | null;
}

export interface FilePage {
  readonly files: readonly StoredFile[];
  /** For the next page; null on the last one. */
  readonly next: string | null;
}

export interface FilePageQuery {
  readonly prefix: string;
  readonly limit: number;
  /** The `next` of the page before; null for the first page. */
  readonly after: string | null;
}

/** The product's files, asked without rules. Every method may be repeated. */
export interface MarkedFiles {
  /** In the order of names. A page may be empty and not be the last. */
  list(query: FilePageQuery): Promise<FilePage>;
  /**
   * Writes the mark, or takes it away, and leaves contents, generation and the rest of the metadata as they are. Does
   * nothing to a file that was uploaded anew, changed or deleted since it was listed.
   * @param sinceMs epoch milliseconds; null takes the mark away.
   * @returns whether it was done.
   */
  mark(file: StoredFile, sinceMs: number | null): Promise<boolean>;
  /**
   * Does nothing to a file that was uploaded anew, changed or deleted since it was listed.
   * @returns whether it was deleted.
   */
  delete(file: StoredFile): Promise<boolean>;
}

export type DocumentFields = Readonly<Record<string, unknown>>;

/** The product's documents, asked without rules. Every method fails rather than leave a document out. */
export interface FileHolders {
  /** The pets that are there, deleted ones too, by id. At most as many ids as one page has files. */
  readPets(petIds: readonly string[]): Promise<ReadonlyMap<string, DocumentFields>>;
  /** The entries of all pets, deleted ones too, whose `fileLocation` is one of at most 30 names. */
  findEntries(fileNames: readonly string[]): Promise<readonly DocumentFields[]>;
}

export interface FileCleanupPorts {
  readonly files: MarkedFiles;
  readonly holders: FileHolders;
  /** Epoch milliseconds. */
  now(): number;
  /** Told of each file that could not be looked after, before the clean-up goes on with the others. */
  onFailure(fileName: string, error: unknown): void;
}
