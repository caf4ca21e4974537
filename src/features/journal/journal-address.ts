import { isFeedKey } from '../../../schemas/documents/feed-key.ts';

/** The search parameters of a journal's address. */
export interface JournalAddress {
  /** The key of the entry at which the journal opens. */
  readonly at?: string | undefined;
}

/**
 * Parses the search parameters; a value that is no feed key is ignored. The result names it nevertheless, because the
 * router keeps the parameters of the address that a route does not name.
 */
export function journalAddress({ at }: Readonly<Record<string, unknown>>): JournalAddress {
  return { at: typeof at === 'string' && isFeedKey(at) ? at : undefined };
}
