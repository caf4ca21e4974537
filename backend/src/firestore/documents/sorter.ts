import type { Limits } from '../../limits/defaults.ts';
import { LimitError } from '../../limits/limit-error.ts';
import { heapShareBytes } from '../../limits/resources.ts';
import { createSliceMeter } from '../../limits/slices.ts';
import { FirestoreError } from '../firestore-error.ts';
import { orderKey } from '../query/query-match.ts';
import { isInWindow } from '../query/query-window.ts';
import type { Query } from '../query/query.ts';
import type { StoredDocument } from '../values/document.ts';
import { bytesPerCharacter, type CachedDocument } from './document-cache.ts';

interface Kept {
  readonly document: StoredDocument;
  readonly key: Buffer;
  readonly characters: number;
}

export type OpenSorter = ReturnType<typeof createSorters>;

/**
 * Creates sorters, each for the documents of one query.
 *
 * - The sort key of a document is made when it is added, in the slice that reads it.
 * - Sorting is done in slices, and yields undefined at the end of each.
 * - A sorter of a query with a limit keeps about twice as many documents as the limit leaves, and fewer when they are large.
 */
export function createSorters(
  limits: Pick<Limits, 'sortedCharacters' | 'allSortedCharacters'>,
  elapsedMs: () => number,
) {
  const share = heapShareBytes / bytesPerCharacter;
  const allSortedCharacters = Math.min(limits.allSortedCharacters, share);
  // A query that is too large alone would be refused for a while otherwise, and never for good.
  const maxCharacters = Math.min(limits.sortedCharacters, share / 2);
  let allTotal = 0;
  return (query: Query) => {
    const window = query.offset + (query.limit ?? Infinity);
    const maxKept = 2 * window + runDocuments;
    let kept: Kept[] = [];
    let total = 0;
    const grow = (characters: number) => {
      total += characters;
      allTotal += characters;
    };
    const keep = (these: Kept[]) => {
      kept = these;
      grow(these.reduce((sum, { characters }) => sum + characters, 0) - total);
    };
    return {
      /** @throws when even the documents that are left are too large, or all queries hold too much. */
      *add({ document, characters }: CachedDocument): Generator<undefined, void, void> {
        const key = isInWindow(query, document) ? orderKey(document, query.orderBy) : undefined;
        if (key === undefined) return;
        const size = characters + key.length;
        if (allTotal + size > allSortedCharacters) throw new LimitError(retryMs);
        kept.push({ document, key, characters: size });
        grow(size);
        const isTooLarge = total > maxCharacters;
        if (!isTooLarge && kept.length < maxKept) return;
        keep((yield* sortInSlices(kept, elapsedMs)).slice(0, window));
        // Half of the limit stays free for further documents. If the kept ones nearly filled it, each further one would cause a
        // sort.
        if (isTooLarge && total > maxCharacters / 2) throw tooMuchToSort();
      },
      *sorted(): Generator<StoredDocument | undefined, void, void> {
        const isSliceOver = createSliceMeter(elapsedMs);
        for (const { document } of yield* sortInSlices(kept, elapsedMs)) {
          yield document;
          while (isSliceOver()) yield undefined;
        }
      },
      forget: () => keep([]),
    };
  };
}

const retryMs = 1000;
const tooMuchToSort = () =>
  new FirestoreError(
    'RESOURCE_EXHAUSTED',
    'The documents that this query sorts are too large. Ask for fewer documents.',
  );

/** The documents that are sorted without a look at the time, and kept besides the window. */
const runDocuments = 200;

/** Sorts short runs of documents, and merges them. */
function sortInSlices(all: readonly Kept[], elapsedMs: () => number): Generator<undefined, Kept[]> {
  const isSliceOver = createSliceMeter(elapsedMs);
  function* sort(start: number, end: number): Generator<undefined, Kept[]> {
    if (end - start <= runDocuments) {
      const run = all
        .slice(start, end)
        .toSorted((one, other) => Buffer.compare(one.key, other.key));
      while (isSliceOver()) yield undefined;
      return run;
    }
    const middle = (start + end) >> 1;
    const left = yield* sort(start, middle);
    const right = yield* sort(middle, end);
    const merged: Kept[] = [];
    let [fromLeft, fromRight] = [0, 0];
    for (;;) {
      const one = left[fromLeft];
      const other = right[fromRight];
      if (one === undefined || other === undefined) break;
      const isLeft = Buffer.compare(one.key, other.key) < 0;
      merged.push(isLeft ? one : other);
      if (isLeft) fromLeft++;
      else fromRight++;
      while (isSliceOver()) yield undefined;
    }
    return merged.concat(left.slice(fromLeft), right.slice(fromRight));
  }
  return sort(0, all.length);
}
