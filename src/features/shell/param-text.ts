/**
 * Returns the text of a search parameter; undefined if it is empty or missing. A route names the parameters that it ignores
 * as undefined, because the router keeps those that it does not name.
 */
export function paramText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
