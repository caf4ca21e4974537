export interface LiveRequest {
  /** The URL of the backend. */
  readonly url: string;
  readonly commits: number;
}

export interface Account {
  /** The URL of the backend. */
  readonly url: string;
  readonly email: string;
  readonly password: string;
}

/** Milliseconds for a number of `setDoc` calls of one device, until the last is acknowledged. */
export interface WriteTimes {
  readonly sequentialMs: number;
  readonly parallelMs: number;
}

/** All documents of an owner in the collections of this name. */
export interface Listened {
  readonly collectionId: 'pets' | 'journalEntries';
  readonly count: number;
}

/** The functions of the page with the Firestore SDK that the runner calls. */
export interface LivePage {
  /** Returns milliseconds from one device's commit until the other's listener is called. */
  latencies(request: LiveRequest): Promise<readonly number[]>;
  /** Measures `sequential` writes one after another, then `parallel` writes at once. */
  writes(url: string, sequential: number, parallel: number): Promise<WriteTimes>;
  /**
   * Listens to all documents of an owner in a collection, with no cache. Returns milliseconds until the server has
   * confirmed all of them.
   */
  listen(account: Account, listened: Listened): Promise<number>;
  /** Breaks the connection of that listener. */
  disconnect(): Promise<void>;
  /** Returns milliseconds until the listener has caught up with the entry of this seq. */
  catchUp(seq: number): Promise<number>;
}

declare global {
  interface Window {
    readonly live: LivePage;
  }
}
