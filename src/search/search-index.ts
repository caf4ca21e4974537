import MiniSearch, {
  type Options,
  type Query,
  type SearchOptions,
  type SearchResult,
} from 'minisearch';
import * as v from 'valibot';
import type { SearchableEntry } from '../../store/search-store.ts';
import type { SearchQuery } from '../data/queries/search.ts';
import { beginsOneOf, plainWord, plainWordsIn, wordsIn } from '../lib/text/words.ts';

/** The version of the tokenization, which depends on the browser. A stored index of another version is rebuilt. */
const version = 'Segmenter' in Intl ? 4 : 3;

interface IndexedEntry {
  readonly id: string;
  readonly petId: string;
  readonly feedKey: string;
  readonly type: string;
  readonly text: string;
}

type Found = SearchResult & Omit<IndexedEntry, 'text'>;

/** A single letter would match nearly every word that begins with it. */
const prefixMinLength = 2;
/** In a shorter word, one wrong letter makes another word. */
const fuzzyMinLength = 4;
/** The comparison takes memory by the square of the length. */
const fuzzyMaxLength = 40;

/** A letter that is hardly a whole word. A digit, a capital, an ideograph and a syllable may be one. */
const beginsWord =
  /^(?:\p{Ll}|(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}가-힣])\p{Lo})$/u;

const options: Options<IndexedEntry> = {
  fields: ['text'],
  storeFields: ['petId', 'feedKey', 'type'],
  tokenize: wordsIn,
  processTerm: plainWord,
  searchOptions: {
    combineWith: 'AND',
    prefix: (term) => term.length >= prefixMinLength,
  },
};

function mayBeMistyped({ length }: string): boolean {
  return length >= fuzzyMinLength && length <= fuzzyMaxLength;
}

function fuzzy(term: string): number | false {
  return mayBeMistyped(term) ? 0.25 : false;
}

/** Returns the word with each two neighbours in turn exchanged, which a fuzzy search takes for two errors. */
function swapsOf(word: string): string[] {
  return Array.from({ length: word.length - 1 }, (_, at) =>
    [word.slice(0, at), word[at + 1], word[at], word.slice(at + 2)].join(''),
  );
}

/** Returns the query for a word that may be mistyped. */
function nearly(word: string): Query {
  const swapped = mayBeMistyped(word) ? swapsOf(word) : [];
  // In a script without spaces, exchanged letters may read as several words, and any of them would be found.
  const swaps = swapped.filter((swap) => wordsIn(swap).length === 1);
  return { combineWith: 'OR', queries: [{ queries: [word], fuzzy }, ...swaps] };
}

const keptSchema = v.object({
  version: v.literal(version),
  revisions: v.record(v.string(), v.string()),
  index: v.string(),
});

export interface FoundEntries {
  /** The ids of the matches, newest first. */
  readonly ids: readonly string[];
  /** Returns the words that matched in an entry. */
  readonly wordsOf: (id: string) => readonly string[];
}

/** A full-text index of entries in memory. */
export interface SearchIndex {
  /** Adds or replaces entries. @returns the number of entries that were changed or new. */
  update(entries: readonly SearchableEntry[]): number;
  /** Removes the entries that are not among these. @returns the number of removed entries. */
  retain(ids: ReadonlySet<string>): number;
  find(query: Omit<SearchQuery, 'limit'>): FoundEntries;
  toJson(): string;
}

interface Kept {
  readonly revisions: Map<string, string>;
  readonly index: MiniSearch<IndexedEntry>;
}

function emptyKept(): Kept {
  return { revisions: new Map(), index: new MiniSearch(options) };
}

function parseKept(json: string | null): Kept {
  if (json === null) return emptyKept();
  try {
    const { revisions, index } = v.parse(keptSchema, JSON.parse(json));
    return {
      revisions: new Map(Object.entries(revisions)),
      index: MiniSearch.loadJSON(index, options),
    };
  } catch {
    return emptyKept();
  }
}

function toIndexed({ id, petId, feedKey, type = '', text = '' }: SearchableEntry): IndexedEntry {
  return { id, petId, feedKey, type, text };
}

/** Creates an index. @param json the result of {@link SearchIndex.toJson}; an invalid one makes an empty index. */
export function createSearchIndex(json: string | null): SearchIndex {
  const { revisions, index } = parseKept(json);

  const forget = (id: string): void => {
    revisions.delete(id);
    if (index.has(id)) index.discard(id);
  };

  const search = (words: Query, how: SearchOptions): Found[] =>
    // The library's type does not declare the stored fields of `options`.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    index.search(words, how) as Found[];

  const find = (query: Omit<SearchQuery, 'limit'>): FoundEntries => {
    const { words, petId, type, pets } = query;
    const isWanted = (found: SearchResult): boolean =>
      (petId === null || found['petId'] === petId) && (type === null || found['type'] === type);
    const typed = wordsIn(words);
    if (typed.length === 0) return { ids: [], wordsOf: () => [] };
    const found = new Map(search(words, { filter: isWanted }).map((one) => [String(one.id), one]));
    // Words that name a dog need not be in its entries.
    for (const { id, name } of pets) {
      const own = plainWordsIn(name);
      const rest = typed.filter((word) => !beginsOneOf(word, own));
      if (rest.length === typed.length) continue;
      const filter = (one: SearchResult) => isWanted(one) && one['petId'] === id;
      for (const one of search(rest.join(' ') || MiniSearch.wildcard, { filter })) {
        if (!found.has(String(one.id))) found.set(String(one.id), one);
      }
    }
    // The first letter of another word takes nothing away while it is typed.
    const begun = typed.at(-1) ?? '';
    const isBegun = typed.length > 1 && beginsWord.test(begun.normalize()) && words.endsWith(begun);
    if (found.size === 0 && isBegun)
      return find({ ...query, words: words.slice(0, -begun.length) });
    if (found.size === 0) {
      const near = search({ combineWith: 'AND', queries: typed.map(nearly) }, { filter: isWanted });
      for (const one of near) found.set(String(one.id), one);
    }
    const sorted = [...found.values()].toSorted((one, other) =>
      one.feedKey < other.feedKey ? -1 : 1,
    );
    return {
      ids: sorted.map(({ id }) => String(id)),
      wordsOf: (id) => found.get(id)?.terms ?? [],
    };
  };

  return {
    update: (entries) => {
      let changed = 0;
      for (const entry of entries) {
        if (revisions.get(entry.id) === entry._rev) continue;
        changed += 1;
        if (entry.deleted) forget(entry.id);
        else if (index.has(entry.id)) index.replace(toIndexed(entry));
        else index.add(toIndexed(entry));
        // The revision of a tombstone is stored too, so that later updates skip it.
        revisions.set(entry.id, entry._rev);
      }
      return changed;
    },
    retain: (ids) => {
      const gone = [...revisions.keys()].filter((id) => !ids.has(id));
      for (const id of gone) forget(id);
      return gone.length;
    },
    find,
    toJson: () =>
      JSON.stringify({
        version,
        revisions: Object.fromEntries(revisions),
        index: JSON.stringify(index),
      }),
  };
}
