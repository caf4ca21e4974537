import { isFeedKey } from '../../../schemas/documents/feed-key.ts';

/** The search parameters of a journal's address. */
export interface JournalAddress {
  /** Where the journal opens: the key of an entry. */
  readonly at?: string;
}

/** Parses the search parameters; a value that is no feed key is ignored. */
export function journalAddress({ at }: Readonly<Record<string, unknown>>): JournalAddress {
  return typeof at === 'string' && isFeedKey(at) ? { at } : {};
}
