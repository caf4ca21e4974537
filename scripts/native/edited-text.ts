/** Inserts a text before the first match of a pattern. @throws if there is none. */
export function insertBefore(text: string, place: RegExp, added: string): string {
  const at = text.search(place);
  if (at === -1) throw new Error(`The native project has changed: it has no ${String(place)}.`);
  return text.slice(0, at) + added + text.slice(at);
}
