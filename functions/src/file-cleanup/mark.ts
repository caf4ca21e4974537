/** The key of the mark in the custom metadata of a file. Its value is an ISO date, which people can read in the console. */
export const markKey = 'unreferredSince';

/** @param sinceMs epoch milliseconds; null: no mark. */
export const markToText = (sinceMs: number | null): string | null =>
  sinceMs === null ? null : new Date(sinceMs).toISOString();

/** @returns epoch milliseconds; null without a mark, or with one that is no date. */
export function textToMark(text: unknown): number | null {
  const sinceMs = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(sinceMs) ? null : sinceMs;
}
