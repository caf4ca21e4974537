import type { Live } from '../../lib/async/live.ts';

export interface SearchQuery {
  /** As they are typed: the beginning of a word finds it, and accents and capitals make no difference. */
  readonly words: string;
  /** null: those of all dogs. */
  readonly petId: string | null;
  /** null: of all kinds. */
  readonly type: string | null;
  /** The dogs by whose names entries are found too. */
  readonly pets: readonly { readonly id: string; readonly name: string }[];
  /** How many hits to read. */
  readonly limit: number;
}

export interface SearchHit {
  readonly id: string;
  readonly petId: string;
  readonly feedKey: string;
  readonly type?: string;
  readonly text?: string;
}

export interface SearchAnswer {
  /** Newest first. */
  readonly hits: readonly SearchHit[];
  /** How many there are in all. */
  readonly count: number;
  /** The words by which they were found, as `plainWord` has them. */
  readonly words: readonly string[];
}

export interface SearchState {
  /** How much of the journal has been read since the search was opened, from 0 to 1. */
  readonly readPart: number;
  /** Raised whenever the same query may find something else. */
  readonly version: number;
  /** The code or the index could not be had. */
  readonly isBroken: boolean;
}

/** A search through everything that is on this device. It is kept up to date while its state is watched. */
export interface JournalSearch {
  readonly state: Live<SearchState>;
  /** Rejects if the session has ended, or the search is broken. */
  find(query: SearchQuery): Promise<SearchAnswer>;
}
