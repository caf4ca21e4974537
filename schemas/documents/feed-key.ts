/** The largest instant a JavaScript Date can hold, in milliseconds. */
const lastInstantMs = 8_640_000_000_000_000;

/**
 * Returns a key that sorts newest first in ascending order, since the local database reads an index only forwards. The
 * id distinguishes entries of one millisecond.
 */
export function feedKey(createdDateMs: number, id: string): string {
  return `${padded(lastInstantMs - createdDateMs)}-${id}`;
}

function padded(number: number): string {
  return String(number).padStart(16, '0');
}

/**
 * Returns a bound between keys: keys of entries at that instant or later sort before it, keys of earlier entries after
 * it.
 */
export function feedKeyEdge(ms: number): string {
  return padded(lastInstantMs - ms + 1);
}

export const feedKeyMaxLength = 17 + 128;

/** Whether the text has the form of a {@link feedKey}. */
export function isFeedKey(text: string): boolean {
  return /^\d{16}-/u.test(text) && text.length <= feedKeyMaxLength;
}

/** Returns the date of the entry with this feed key, in epoch milliseconds. */
export function feedKeyMs(key: string): number {
  return lastInstantMs - Number(key.slice(0, 16));
}
