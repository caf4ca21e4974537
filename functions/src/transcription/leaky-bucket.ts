/** The level of one user's bucket at a time. */
export interface Bucket {
  readonly level: number;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/** The bucket admits the notes of one walk at once, then 180 an hour. */
const capacity = 30;
const drainMs = 20_000;

/** Adds one request. @returns the new bucket, or the milliseconds until it has room for the request. */
export function charge(
  bucket: Bucket | null,
  nowMs: number,
): { readonly bucket: Bucket } | { readonly waitMs: number } {
  const { level, atMs } = bucket ?? { level: 0, atMs: nowMs };
  // A clock that goes back drains nothing.
  const rest = Math.max(0, level - Math.max(0, nowMs - atMs) / drainMs);
  if (rest + 1 > capacity) return { waitMs: Math.ceil((rest + 1 - capacity) * drainMs) };
  return { bucket: { level: rest + 1, atMs: nowMs } };
}

/** Whether the bucket is empty, so that it can be deleted. */
export function isEmpty({ level, atMs }: Bucket, nowMs: number): boolean {
  return level <= (nowMs - atMs) / drainMs;
}
