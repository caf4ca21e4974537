/** What the bench page does when the runner asks it to. Times are milliseconds. */

/** Each variant's own samples, taken in turns. */
export type Samples<Variant extends string> = Readonly<Record<Variant, readonly number[]>>;

/** `raw` is IndexedDB by hand, in the same page, with the same documents. */
export type Side = 'ours' | 'raw';

export interface StoredCount {
  /** Entries in the journal beforehand. */
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

/** Each beside the same number of rows read by hand. */
export type ListedPage = 'feed' | 'waiting' | 'ofPet' | 'all';

export interface BenchPage {
  /** Fills both databases of that size, new ones. */
  prepare(request: StoredCount): Promise<void>;
  /** Until a note is stored for good. */
  inserts(request: InsertRequest): Promise<Samples<'ours' | 'rawStrict' | 'rawDefault'>>;
  /** Until a recording is stored for good, with its job and its entry. */
  recordings(request: InsertRequest): Promise<Samples<Side>>;
  /** Until the newest 50, watched, hold the note. */
  insertsSeen(request: InsertRequest): Promise<Samples<'ours' | 'limit' | 'oursInApp'>>;
  /** From nothing open to the newest 50 of a journal of that size. */
  coldOpen(request: SideRequest & StoredCount): Promise<number>;
  /** A page of each list, read in an open database of that size. */
  listPages(request: StoredCount): Promise<Samples<ListedPage | `${ListedPage}Raw`>>;
  /** Stores what a server holds: by the sync engine, or by hand in pieces of the same size. */
  firstSync(request: BulkRequest): Promise<number>;
  /** Sends what waits to a server that costs nothing; by hand: stores it in pieces of the same size. */
  push(request: BulkRequest): Promise<number>;
  /** Opens the journal and keeps all of it in memory, live. */
  holdAll(request: SideRequest & StoredCount): Promise<void>;
}

declare global {
  interface Window {
    readonly bench: BenchPage;
  }
}
