/** Returns the path and query that a link opens in the app, or null if it is not a link. */
export function linkPath(url: string): string | null {
  try {
    const { pathname, search } = new URL(url);
    // Two slashes would begin the name of another host.
    return `/${pathname.replace(/^[/\\]+/, '')}${search}`;
  } catch {
    return null;
  }
}
