import { useEffect, useRef, useState } from 'react';
import { useData } from '../../data/data-context.ts';
import type {
  JournalSearch,
  SearchAnswer,
  SearchQuery,
  SearchState,
} from '../../data/queries/search.ts';
import { useLive, type Live } from '../../lib/async/live.ts';
import { isBlank } from './search-words.ts';

const beginning: SearchState = { readPart: 0, isBroken: false };

const notOpen: Live<SearchState> = {
  getSnapshot: () => beginning,
  subscribe: () => () => undefined,
};

export interface JournalSearchView {
  /** Its part is the one that was read when the answer was asked for: an earlier answer is not yet the final one. */
  readonly state: SearchState;
  /** The answer to the newest query that has one; undefined before the first. */
  readonly answer: SearchAnswer | undefined;
}

/** Returns the answer to a query, and asks again whenever the query or the state changes. */
export function useJournalSearch(query: SearchQuery): JournalSearchView {
  const { search: load } = useData();
  const [search, setSearch] = useState<JournalSearch | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  const [answer, setAnswer] = useState<SearchAnswer & Pick<SearchState, 'readPart'>>();
  const state = useLive(search?.state ?? notOpen) ?? beginning;
  /** The numbers of the newest question, and of the newest one that was answered. */
  const asked = useRef(0);
  const answered = useRef(0);

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
    asked.current += 1;
    const number = asked.current;
    const find = async (): Promise<void> => {
      const found = await search?.find(query).catch(() => null);
      if (found === undefined || number < answered.current) return;
      answered.current = number;
      setIsFailed(found === null);
      // Otherwise the first letter after an empty box would be answered with "nothing found".
      if (isBlank(query.words)) setAnswer(undefined);
      else if (found !== null) setAnswer({ ...found, readPart: state.readPart });
    };
    void find();
  }, [search, query, state]);

  return {
    state: {
      ...state,
      readPart: answer?.readPart ?? state.readPart,
      isBroken: isFailed || state.isBroken,
    },
    answer,
  };
}
