let collator: Intl.Collator | null = null;

/** In alphabetical order, whatever the case and the accents. The collator takes a while to make, and one name needs none. */
export function compareNames(one: string, other: string): number {
  collator ??= new Intl.Collator('en-GB', { sensitivity: 'base' });
  return collator.compare(one, other);
}
