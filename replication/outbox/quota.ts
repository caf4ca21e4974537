/** The browser would not store any more. Dexie wraps the browser's own error, sometimes twice. */
export function isQuotaExceeded(error: unknown, depth = 0): boolean {
  if (typeof error !== 'object' || error === null || depth > 3) return false;
  if ('name' in error && error.name === 'QuotaExceededError') return true;
  return 'inner' in error && isQuotaExceeded(error.inner, depth + 1);
}
