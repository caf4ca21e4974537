import { isFeedKey } from '../../../schemas/documents/feed-key.ts';

/** The search parameters of a journal's address. */
export interface JournalAddress {
  /** The key of the entry at which the journal opens. */
  readonly at?: string;
}

/** Parses the search parameters; a value that is no feed key is ignored. */
export function journalAddress({ at }: Readonly<Record<string, unknown>>): JournalAddress {
  return typeof at === 'string' && isFeedKey(at) ? { at } : {};
}
