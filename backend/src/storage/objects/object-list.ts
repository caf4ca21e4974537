export interface ListQuery {
  readonly prefix: string;
  /** Empty lists everything under the prefix. */
  readonly delimiter: string;
  readonly maxResults: number;
  /** Continue after this name or folder. */
  readonly after: string | null;
}

export interface ListPage {
  readonly items: readonly string[];
  readonly prefixes: readonly string[];
  /** Where the next page continues; null on the last. */
  readonly next: string | null;
}

/** One page of a sorted list of names; a folder counts as one result, whatever it holds. */
export function listPage(names: readonly string[], query: ListQuery): ListPage {
  const { prefix, maxResults, after } = query;
  const items: string[] = [];
  const prefixes: string[] = [];
  let at = firstIndex(names, (name) => name >= prefix);
  if (after !== null) at = Math.max(at, indexAfter(names, after, query));
  let last: string | null = null;
  for (let name = names[at]; name?.startsWith(prefix) === true; name = names[at]) {
    if (items.length + prefixes.length === maxResults) return { items, prefixes, next: last };
    const folder = folderOf(name, query);
    last = folder ?? name;
    (folder === null ? items : prefixes).push(last);
    at = indexAfter(names, last, query);
  }
  return { items, prefixes, next: null };
}

function folderOf(name: string, { prefix, delimiter }: ListQuery): string | null {
  if (delimiter === '') return null;
  const end = name.indexOf(delimiter, prefix.length);
  return end === -1 ? null : name.slice(0, end + delimiter.length);
}

/** Past an object, or past everything a folder holds. */
function indexAfter(names: readonly string[], entry: string, query: ListQuery): number {
  const isFolder = folderOf(entry, query) === entry;
  return firstIndex(names, (name) => name > entry && !(isFolder && name.startsWith(entry)));
}

/** Binary search for the first name that passes; all after it pass as well. */
function firstIndex(names: readonly string[], passes: (name: string) => boolean): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(names[middle] ?? '')) high = middle;
    else low = middle + 1;
  }
  return low;
}
