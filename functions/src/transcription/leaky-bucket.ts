/** How full the bucket of one user was, and when. */
export interface Bucket {
  readonly level: number;
  /** Epoch milliseconds. */
  readonly atMs: number;
}

/** A walk's worth of notes at once, then 180 an hour. */
const capacity = 30;
const drainMs = 20_000;

/** Puts one request in. @returns the bucket as it is then, or in how many milliseconds one fits in. */
export function charge(
  bucket: Bucket | null,
  nowMs: number,
): { readonly bucket: Bucket } | { readonly waitMs: number } {
  const { level, atMs } = bucket ?? { level: 0, atMs: nowMs };
  // A clock that steps back drains nothing.
  const rest = Math.max(0, level - Math.max(0, nowMs - atMs) / drainMs);
  if (rest + 1 > capacity) return { waitMs: Math.ceil((rest + 1 - capacity) * drainMs) };
  return { bucket: { level: rest + 1, atMs: nowMs } };
}

/** When nothing is left in it, so that it can be forgotten. */
export function isEmpty({ level, atMs }: Bucket, nowMs: number): boolean {
  return level <= (nowMs - atMs) / drainMs;
}
