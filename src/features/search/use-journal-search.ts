import { useEffect, useMemo, useState } from 'react';
import { useData } from '../../data/data-context.ts';
import type {
  JournalSearch,
  SearchAnswer,
  SearchQuery,
  SearchState,
} from '../../data/queries/search.ts';
import { useLive, type Live } from '../../lib/async/live.ts';

const beginning: SearchState = { readPart: 0, version: 0, isBroken: false };

const notOpen: Live<SearchState> = {
  getSnapshot: () => beginning,
  subscribe: () => () => undefined,
};

export interface JournalSearchView {
  readonly state: SearchState;
  /** The answer to the newest query that has one; undefined before the first. */
  readonly answer: SearchAnswer | undefined;
}

/** Returns the answer to a query, and updates it whenever the query or the index changes. */
export function useJournalSearch(query: SearchQuery): JournalSearchView {
  const { search: load } = useData();
  const [search, setSearch] = useState<JournalSearch | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  const [answer, setAnswer] = useState<SearchAnswer>();
  const state = useLive(search?.state ?? notOpen) ?? beginning;
  const { version } = state;
  /** The query together with the version of the index, so that a new version repeats it. */
  const question = useMemo(() => ({ query, version }), [query, version]);

  useEffect(() => {
    let isGone = false;
    const open = async (): Promise<void> => {
      try {
        const opened = await load();
        if (!isGone) setSearch(opened);
      } catch {
        if (!isGone) setIsFailed(true);
      }
    };
    void open();
    return () => {
      isGone = true;
    };
  }, [load]);

  useEffect(() => {
    let isOld = false;
    const find = async (): Promise<void> => {
      try {
        const found = await search?.find(question.query);
        if (isOld || found === undefined) return;
        setAnswer(found);
        setIsFailed(false);
      } catch {
        if (!isOld) setIsFailed(true);
      }
    };
    void find();
    return () => {
      isOld = true;
    };
  }, [search, question]);

  return { state: isFailed ? { ...state, isBroken: true } : state, answer };
}
