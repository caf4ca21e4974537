/** The first voice note without a text that was shown of each owner's open data. */
const firstOfData = new WeakMap<object, string>();

/**
 * True of one voice note as long as the data of its owner is open: that one says why it has no text, and the others look
 * the same.
 */
export function isFirstUnheard(data: object, entryId: string): boolean {
  const first = firstOfData.get(data) ?? entryId;
  firstOfData.set(data, first);
  return first === entryId;
}
