/** The Web Lock under which this owner's data is synced, opened without a page, and erased. */
export function lockName(uid: string): string {
  return `pawpals:${uid}`;
}
