/** What the page with the Firestore SDK does when the runner asks it to. */
export interface LiveRequest {
  /** Of the backend. */
  readonly url: string;
  readonly commits: number;
}

export interface Account {
  /** Of the backend. */
  readonly url: string;
  readonly email: string;
  readonly password: string;
}

/** Milliseconds for so many `setDoc` of one device, until the last is acknowledged. */
export interface WriteTimes {
  readonly sequentialMs: number;
  readonly parallelMs: number;
}

/** All documents of an owner in the collections of this name. */
export interface Listened {
  readonly collectionId: 'pets' | 'journalEntries';
  readonly count: number;
}

export interface LivePage {
  /** From one device's commit until the other's listener is called, in milliseconds. */
  latencies(request: LiveRequest): Promise<readonly number[]>;
  /** So many one after another, then so many at once. */
  writes(url: string, sequential: number, parallel: number): Promise<WriteTimes>;
  /** Listens to all that an owner has of a kind, from nothing. Milliseconds until the server has confirmed all of it. */
  listen(account: Account, listened: Listened): Promise<number>;
  /** Breaks the connection of that listener. */
  disconnect(): Promise<void>;
  /** Milliseconds until the listener has caught up with the entry of this number. */
  catchUp(seq: number): Promise<number>;
}

declare global {
  interface Window {
    readonly live: LivePage;
  }
}
