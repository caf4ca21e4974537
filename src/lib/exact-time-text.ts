import { entryTimeText } from './entry-time-text.ts';

const longMs = 30 * 86_400_000;

/** Day and minute, whatever the distance: what is said of it once it is long ago. */
export function exactTimeText(ms: number): string {
  return entryTimeText(ms, ms + longMs);
}
