import type { SearchableEntry } from '../../../store/search-store.ts';
import type { Live } from '../../lib/async/live.ts';

export interface SearchQuery {
  /** The typed words. A beginning matches a word, and accents and case make no difference. */
  readonly words: string;
  /** The dog whose entries are searched; null for all dogs. */
  readonly petId: string | null;
  /** The type of the entries; null for all types. */
  readonly type: string | null;
  /** The dogs whose names also match. */
  readonly pets: readonly { readonly id: string; readonly name: string }[];
  /** The maximum number of hits to read. */
  readonly limit: number;
}

export type SearchHit = Omit<SearchableEntry, 'deleted' | '_rev'>;

export interface SearchAnswer {
  /** The hits, newest first. */
  readonly hits: readonly SearchHit[];
  /** The number of all matches. */
  readonly count: number;
  /** The words that matched, in the form of `plainWord`. */
  readonly words: readonly string[];
}

export interface SearchState {
  /** The indexed part of the journal since the search was opened, from 0 to 1. */
  readonly readPart: number;
  /** Whether the code or the index could not be loaded. */
  readonly isBroken: boolean;
}

/** The search over all entries on this device. Its index is updated while its state has subscribers. */
export interface JournalSearch {
  /** It is another object whenever the same query may have a different answer. */
  readonly state: Live<SearchState>;
  /** Answers a query. Rejects if the session has ended, or the search is broken. */
  find(query: SearchQuery): Promise<SearchAnswer>;
}
