let collator: Intl.Collator | null = null;

/**
 * Compares names alphabetically, ignoring case and accents, and numbers in them by value. The collator is created on
 * first use, because it takes a while.
 */
export function compareNames(one: string, other: string): number {
  collator ??= new Intl.Collator('en-GB', { sensitivity: 'base', numeric: true });
  return collator.compare(one, other);
}
