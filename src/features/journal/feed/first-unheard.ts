/** The first voice note without a text that was shown, for each owner's open data. */
const firstOfData = new WeakMap<object, string>();

/**
 * Returns true for only one voice note while the data of its owner is open. That one explains why it has no text; the
 * others look the same.
 */
export function isFirstUnheard(data: object, entryId: string): boolean {
  const first = firstOfData.get(data) ?? entryId;
  firstOfData.set(data, first);
  return first === entryId;
}
