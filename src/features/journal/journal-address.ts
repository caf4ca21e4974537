import { isFeedKey } from '../../../schemas/feed-key.ts';

/** What the address of a journal says of it. */
export interface JournalAddress {
  /** Where the journal opens: the key of an entry. */
  readonly at?: string;
}

/** What is no key of an entry is left out. */
export function journalAddress({ at }: Readonly<Record<string, unknown>>): JournalAddress {
  return typeof at === 'string' && isFeedKey(at) ? { at } : {};
}
