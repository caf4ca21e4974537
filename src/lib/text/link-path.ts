/**
 * What a link opens in the app: its path and query.
 * @returns null for what is no link.
 */
export function linkPath(url: string): string | null {
  try {
    const { pathname, search } = new URL(url);
    // Two slashes would begin the name of another host.
    return `/${pathname.replace(/^[/\\]+/, '')}${search}`;
  } catch {
    return null;
  }
}
