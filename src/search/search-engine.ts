import type { SearchStore } from '../../store/search-store.ts';
import type { SearchAnswer, SearchQuery } from '../data/queries/search.ts';
import { createSearchIndex } from './search-index.ts';

/** The index of one owner's journal, stored beside the journal. */
export interface SearchEngine {
  /**
   * Updates the index from the journal, and stores it. Without room for the index, it is built again at the next start.
   * @param onPart is called with the read part, from 0 to 1, whenever more entries can be found. It is 1 only at the end.
   */
  refresh(onPart: (part: number) => void): Promise<void>;
  find(query: SearchQuery): Promise<SearchAnswer>;
}

/** Opens the stored index, which can be searched at once, and which `refresh` updates. */
export async function createSearchEngine(store: SearchStore): Promise<SearchEngine> {
  const index = createSearchIndex(await store.readIndex());
  return {
    refresh: async (onPart) => {
      const total = await store.countEntries();
      const ids = new Set<string>();
      let changed = 0;
      for await (const page of store.pages()) {
        for (const { id } of page) ids.add(id);
        changed += index.update(page);
        onPart(Math.min(0.99, ids.size / Math.max(1, total)));
      }
      changed += index.retain(ids);
      if (changed > 0) await store.writeIndex(index.toJson()).catch(() => undefined);
      onPart(1);
    },
    find: async ({ limit, ...query }) => {
      const { ids, wordsOf } = index.find(query);
      const shown = ids.slice(0, limit);
      const rows = await store.entries(shown);
      const hits = rows
        .filter(({ deleted }) => !deleted)
        .map(({ deleted: _deleted, _rev, ...hit }) => hit);
      const words = new Set(shown.flatMap((id) => wordsOf(id)));
      return { hits, count: ids.length, words: [...words] };
    },
  };
}
