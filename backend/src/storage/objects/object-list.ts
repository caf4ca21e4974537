import { afterPrefix } from '../../store/key-value-store.ts';

export interface ListQuery {
  readonly prefix: string;
  /** The delimiter of folders; an empty one lists everything under the prefix. */
  readonly delimiter: string;
  readonly maxResults: number;
  /** The name or folder after which the page begins. */
  readonly after: string | null;
}

export interface ListPage {
  readonly items: readonly string[];
  readonly prefixes: readonly string[];
  /** The `after` of the next page; null on the last. */
  readonly next: string | null;
}

/** Returns the first name that is equal to or greater than the bytes. */
type FirstFrom = (bytes: Buffer) => string | undefined;

/** Returns one page of the names in the order of their bytes; a folder counts as one result. */
export function listPage(firstFrom: FirstFrom, query: ListQuery): ListPage {
  const { prefix, maxResults, after } = query;
  const items: string[] = [];
  const prefixes: string[] = [];
  let name = firstFrom(after === null ? Buffer.from(prefix) : pastEntry(after, query));
  let last: string | null = null;
  while (name?.startsWith(prefix) === true) {
    if (items.length + prefixes.length === maxResults) return { items, prefixes, next: last };
    const folder = folderOf(name, query);
    last = folder ?? name;
    (folder === null ? items : prefixes).push(last);
    name = firstFrom(pastEntry(last, query));
  }
  return { items, prefixes, next: null };
}

function folderOf(name: string, { prefix, delimiter }: ListQuery): string | null {
  if (delimiter === '') return null;
  const end = name.indexOf(delimiter, prefix.length);
  return end === -1 ? null : name.slice(0, end + delimiter.length);
}

/** Returns the bytes after an object, or after all objects in a folder. */
function pastEntry(entry: string, query: ListQuery): Buffer {
  const bytes = Buffer.from(entry);
  return folderOf(entry, query) === entry
    ? afterPrefix(bytes)
    : Buffer.concat([bytes, Buffer.from([0])]);
}
