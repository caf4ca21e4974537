/** The samples of each variant, measured in alternation. */
export type Samples<Variant extends string> = Readonly<Record<Variant, readonly number[]>>;

/** `raw` is plain IndexedDB, in the same page, with the same documents. */
export type Side = 'ours' | 'raw';

export interface StoredCount {
  /** The number of entries in the journal beforehand. */
  readonly stored: number;
}

export interface InsertRequest extends StoredCount {
  readonly inserts: number;
}

export interface SideRequest {
  readonly side: Side;
}

export interface BulkRequest extends SideRequest {
  readonly count: number;
}

/** The lists whose pages are compared with the same number of rows from plain IndexedDB. */
export type ListedPage = 'feed' | 'waiting' | 'ofPet' | 'all';

/** The functions of the bench page that the runner calls. Times are milliseconds. */
export interface BenchPage {
  /** Creates and fills both databases of that size. */
  prepare(request: StoredCount): Promise<void>;
  /** Measures until a note is durable. */
  inserts(request: InsertRequest): Promise<Samples<'ours' | 'rawStrict' | 'rawDefault'>>;
  /** Measures until a recording is durable, with its job and its entry. */
  recordings(request: InsertRequest): Promise<Samples<Side>>;
  /** Measures until a live list of the newest 50 has the note. */
  insertsSeen(request: InsertRequest): Promise<Samples<'ours' | 'limit' | 'oursInApp'>>;
  /** Measures from nothing open to the newest 50 of a journal of that size. */
  coldOpen(request: SideRequest & StoredCount): Promise<number>;
  /** Measures a page of each list in an open database of that size. */
  listPages(request: StoredCount): Promise<Samples<ListedPage | `${ListedPage}Raw`>>;
  /** Stores a server's documents: by the sync engine, or by plain IndexedDB in batches of the same size. */
  firstSync(request: BulkRequest): Promise<number>;
  /** Pushes pending entries to a server that costs nothing; `raw` stores them in batches of the same size. */
  push(request: BulkRequest): Promise<number>;
  /** Opens the journal and keeps all of it in memory, live. */
  holdAll(request: SideRequest & StoredCount): Promise<void>;
}

declare global {
  interface Window {
    readonly bench: BenchPage;
  }
}
