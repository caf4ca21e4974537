/** The key of the mark in a file's custom metadata. Its value is an ISO date, which is readable in the console. */
export const markKey = 'unreferredSince';

/** @param sinceMs epoch milliseconds; null for no mark. */
export const markToText = (sinceMs: number | null): string | null =>
  sinceMs === null ? null : new Date(sinceMs).toISOString();

/** @returns epoch milliseconds; null without a mark, or with one that is no date. */
export function textToMark(text: unknown): number | null {
  const sinceMs = typeof text === 'string' ? Date.parse(text) : Number.NaN;
  return Number.isNaN(sinceMs) ? null : sinceMs;
}
