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
  /** To the newest query that has one: it stays until the next is there. Undefined before the first. */
  readonly answer: SearchAnswer | undefined;
}

/** The answer to a query, anew whenever the query or what can be found changes. */
export function useJournalSearch(query: SearchQuery): JournalSearchView {
  const { search: load } = useData();
  const [search, setSearch] = useState<JournalSearch | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  const [answer, setAnswer] = useState<SearchAnswer>();
  const state = useLive(search?.state ?? notOpen) ?? beginning;
  const { version } = state;
  /** Another question as soon as the same query may find something else. */
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
        if (!isOld && found !== undefined) setAnswer(found);
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
