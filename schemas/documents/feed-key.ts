/** The largest instant a JavaScript Date can hold, in milliseconds. */
const lastInstantMs = 8_640_000_000_000_000;

/**
 * A key that sorts newest first in ascending order, because the local database reads an index forwards only.
 * Entries of one millisecond are told apart by their id.
 */
export function feedKey(createdDateMs: number, id: string): string {
  return `${padded(lastInstantMs - createdDateMs)}-${id}`;
}

function padded(number: number): string {
  return String(number).padStart(16, '0');
}

/**
 * A bound between keys: the keys of entries that were written at that instant or later sort before it, those of earlier
 * entries behind it.
 */
export function feedKeyEdge(ms: number): string {
  return padded(lastInstantMs - ms + 1);
}

export const feedKeyMaxLength = 17 + 128;

/** True of what {@link feedKey} makes, as far as its form tells. */
export function isFeedKey(text: string): boolean {
  return /^\d{16}-/u.test(text) && text.length <= feedKeyMaxLength;
}

/** Epoch milliseconds at which the entry of a feed key was written. */
export function feedKeyMs(key: string): number {
  return lastInstantMs - Number(key.slice(0, 16));
}
